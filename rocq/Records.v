(* How many records a database has, and what becomes of them where a map counts by an image. *)
From Coq Require Import Reals Lra Lia List FunctionalExtensionality ZArith Classical.
From Dpcomp Require Import Measure Notions Compose Databases.
Import ListNotations.
Open Scope Z_scope.

(* ---- sums of records over lists of different cells ---- *)
Lemma total_app X (a b : list X) D : total (a ++ b) D = total a D + total b D.
Proof. induction a; cbn; lia. Qed.
Lemma total_le X (l m : list X) D : (forall c, 0 <= D c) -> NoDup l ->
  (forall c, In c l -> D c <> 0 -> In c m) -> total l D <= total m D.
Proof.
  intros P N. revert m. induction N as [|a l A N IH]; intros m H; cbn [total].
  - clear H. induction m as [|b m IH]; cbn [total]; [lia|]. specialize (P b). lia.
  - destruct (Z.eq_dec (D a) 0) as [z|nz].
    + rewrite z. apply IH. intros c J. apply H. now right.
    + assert (J : In a m) by (apply H; [now left | assumption]). apply in_split in J.
      destruct J as (u & v & ->). rewrite total_app. cbn [total].
      assert (total l D <= total (u ++ v) D); [|rewrite total_app in H0; lia].
      apply IH. intros c J nc. assert (K : In c (u ++ a :: v)) by (apply H; [now right | assumption]).
      apply in_app_or in K. apply in_or_app. destruct K as [K|[->|K]]; auto. contradiction.
Qed.
Lemma sized_unique X (D : db X) m n : (forall c, 0 <= D c) -> sized D m -> sized D n -> m = n.
Proof. intros P (l & L & A & <-) (k & K & B & <-). apply Z.le_antisymm; apply total_le; auto. Qed.
Lemma finite_sized X (D : db X) : finite D -> exists n, sized D n.
Proof.
  intros (l & L). exists (total (nodup (fun a b => dec (a = b)) l) D).
  exists (nodup (fun a b => dec (a = b)) l). split; [apply NoDup_nodup | split; [|reflexivity]].
  intros c n. apply nodup_In. auto.
Qed.
Lemma total_plus X (l : list X) D F : total l (fun c => D c + F c) = total l D + total l F.
Proof. induction l; cbn; lia. Qed.
Lemma total_at X (l : list X) x n : NoDup l -> In x l -> total l (fun c => put c x n) = n.
Proof.
  intros N. induction N as [|a l A N IH]; [intros []|]. intros J. cbn [total]. unfold put at 1.
  destruct (dec (a = x)) as [->|ne].
  - assert (total l (fun c => put c x n) = 0); [|lia]. clear - A. induction l as [|b l IH]; [reflexivity|].
    cbn [total]. unfold put at 1. destruct (dec (b = x)) as [->|ne]; [destruct A; now left|].
    rewrite IH; [reflexivity|]. intro J. apply A. now right.
  - destruct J; [contradiction|]. now rewrite IH.
Qed.
Lemma sized_put X (D : db X) x d n : sized D n -> sized (fun c => D c + put c x d) (n + d).
Proof.
  intros (l & N & S & <-). destruct (dec (In x l)) as [J|J].
  - exists l. split; [assumption | split].
    + intros c. unfold put. destruct (dec (c = x)) as [->|ne]; [tauto|]. intros K. apply S. lia.
    + now rewrite total_plus, total_at.
  - exists (x :: l). split; [now constructor | split].
    + intros c. unfold put. destruct (dec (c = x)) as [->|ne]; [now left|]. intros K. right. apply S. lia.
    + rewrite total_plus, total_at by (try constructor; auto; now left). cbn [total].
      destruct (Z.eq_dec (D x) 0) as [z|nz]; [lia | destruct J; auto].
Qed.

(* ---- the number of records ---- *)
Definition reached {X} (D : db X) (x : R) := exists l, NoDup l /\ x = IZR (total l D).
Lemma reached_some X (D : db X) : exists x, reached D x.
Proof. exists (IZR 0), []. split; [constructor | reflexivity]. Qed.
(* count D is the number of records of D; nothing need be known of it but count_sized *)
Definition count {X} (D : db X) : Z :=
  match dec (Raxioms.bound (reached D)) with
  | left b => up (proj1_sig (completeness (reached D) b (reached_some X D))) - 1
  | right _ => 0
  end.
Theorem count_sized X (D : db X) n : (forall c, 0 <= D c) -> sized D n -> count D = n.
Proof.
  intros P (l & N & S & <-).
  assert (U : is_upper_bound (reached D) (IZR (total l D))).
  { intros x (k & K & ->). apply IZR_le, total_le; auto. }
  assert (W : is_lub (reached D) (IZR (total l D))).
  { split; [exact U|]. intros b B. apply B. now exists l. }
  unfold count. destruct dec as [b|nb]; [|destruct nb; now exists (IZR (total l D))].
  destruct completeness as (m & M). cbn [proj1_sig].
  assert (m = IZR (total l D)) as -> by (apply Rle_antisym; [apply M | apply W]; [apply U | apply M]).
  destruct (archimed (IZR (total l D))) as (A & B).
  apply Rlt_gt in A. apply lt_IZR in A. rewrite <- minus_IZR in B. apply le_IZR in B. lia.
Qed.
Lemma count_none X (D : db X) : (forall c, D c = 0) -> count D = 0.
Proof.
  intros H. apply count_sized; [intros; rewrite H; lia|]. exists []. split; [constructor | split; [|reflexivity]].
  intros c n. now rewrite H in n.
Qed.
Lemma count_pos X (D : db X) : (forall c, 0 <= D c) -> finite D -> 0 <= count D.
Proof.
  intros P F. destruct (finite_sized X D F) as (n & N). rewrite (count_sized X D n P N).
  destruct N as (l & _ & _ & <-). induction l as [|a l IH]; cbn [total]; [lia|]. specialize (P a). lia.
Qed.
Lemma count_put X (D E : db X) x d : (forall c, 0 <= D c) -> (forall c, 0 <= E c) -> finite D ->
  (forall c, E c = D c + put c x d) -> count E = count D + d.
Proof.
  intros P Q F H. destruct (finite_sized X D F) as (n & N). rewrite (count_sized X D n P N).
  apply count_sized; auto. replace E with (fun c => D c + put c x d); [now apply sized_put|].
  apply functional_extensionality. intro. now rewrite H.
Qed.

(* ---- the records in m, each of which becomes f of its cell, counted ---- *)
Definition image {X Y} (m : X -> Prop) (f : X -> Y) (D : db X) : db Y :=
  fun y => count (keep (fun c => m c /\ f c = y) D).
Section Image.
Context {X Y : Type} (m : X -> Prop) (f : X -> Y).
Lemma keep_pos (p : X -> Prop) D : (forall c, 0 <= D c) -> forall c, 0 <= keep p D c.
Proof. intros P c. unfold keep. destruct dec; [apply P | lia]. Qed.
Lemma keep_finite (p : X -> Prop) D : finite D -> finite (keep p D).
Proof. intros F. apply (finite_sub X D); auto. intros c. unfold keep. destruct dec; auto; congruence. Qed.
Lemma image_pos D : (forall c, 0 <= D c) -> finite D -> forall y, 0 <= image m f D y.
Proof. intros P F y. apply count_pos; [now apply keep_pos | now apply keep_finite]. Qed.
Lemma image_in D y : image m f D y <> 0 -> exists c, m c /\ f c = y /\ D c <> 0.
Proof.
  intros H. apply NNPP. intros N. apply H. apply count_none. intros c. unfold keep.
  destruct dec as [(M & e)|]; auto. apply NNPP. intros K. apply N. now exists c.
Qed.
Lemma image_finite D : finite D -> finite (image m f D).
Proof.
  intros (l & L). exists (map f l). intros y n. apply image_in in n. destruct n as (c & M & <- & nc).
  apply in_map. auto.
Qed.
Lemma image_diff D E : image m f D <> image m f E -> exists c, m c /\ D c <> E c.
Proof.
  intros H. apply NNPP. intros N. apply H. apply functional_extensionality. intro y. unfold image. f_equal.
  apply functional_extensionality. intro c. unfold keep. destruct dec as [(M & e)|]; auto.
  apply NNPP. intros K. apply N. now exists c.
Qed.
(* one record more or less, and two *)
Lemma kept_put (p : X -> Prop) D x d c :
  keep p (fun c => D c + put c x d) c = keep p D c + put c x (if dec (p x) then d else 0).
Proof. unfold keep, put. destruct (dec (c = x)) as [->|]; destruct dec; lia. Qed.
Lemma image_sized D y : finite D -> (forall c, 0 <= D c) -> sized (keep (fun c => m c /\ f c = y) D) (image m f D y).
Proof.
  intros F P. destruct (finite_sized _ _ (keep_finite (fun c => m c /\ f c = y) D F)) as (n & N).
  unfold image. now rewrite (count_sized _ _ n (keep_pos _ _ P) N).
Qed.
Lemma moved d x y : (if dec (m x /\ f x = y) then d else 0) = (if dec (m x) then put y (f x) d else 0).
Proof. unfold put. destruct (dec (m x /\ f x = y)), (dec (m x)), (dec (y = f x)); intuition congruence. Qed.
Lemma image_put D E x d : (forall c, 0 <= D c) -> (forall c, 0 <= E c) -> finite D ->
  (forall c, E c = D c + put c x d) ->
  forall y, image m f E y = image m f D y + (if dec (m x) then put y (f x) d else 0).
Proof.
  intros P Q F H y. rewrite <- moved. unfold image at 1. apply count_sized; [now apply keep_pos|].
  replace E with (fun c => D c + put c x d) by (apply functional_extensionality; intro; now rewrite H).
  replace (keep _ _) with (fun c => keep (fun c => m c /\ f c = y) D c + put c x (if dec (m x /\ f x = y) then d else 0))
    by (apply functional_extensionality; intro; now rewrite kept_put).
  apply sized_put. now apply image_sized.
Qed.
Lemma image_put2 D E x d z e : (forall c, 0 <= D c) -> (forall c, 0 <= E c) -> finite D ->
  (forall c, E c = D c + put c x d + put c z e) ->
  forall y, image m f E y = image m f D y + (if dec (m x) then put y (f x) d else 0)
    + (if dec (m z) then put y (f z) e else 0).
Proof.
  intros P Q F H y. rewrite <- !moved. unfold image at 1. apply count_sized; [now apply keep_pos|].
  replace E with (fun c => (fun c => D c + put c x d) c + put c z e) by (apply functional_extensionality; intro; now rewrite H).
  replace (keep _ _) with (fun c => (fun c => keep (fun c => m c /\ f c = y) D c + put c x (if dec (m x /\ f x = y) then d else 0)) c
      + put c z (if dec (m z /\ f z = y) then e else 0))
    by (apply functional_extensionality; intro; now rewrite kept_put, kept_put).
  apply sized_put, sized_put. now apply image_sized.
Qed.
End Image.
