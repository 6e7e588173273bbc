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
Lemma one_record X (D : db X) x : (forall c, 0 <= D c) -> finite D -> (forall n, sized D n -> n = 1) ->
  1 <= D x -> D = fun c => put c x 1.
Proof.
  intros P F S H. apply functional_extensionality. intro c. destruct (finite_sized X D F) as (n & N).
  rewrite (S n N) in N. apply (sized_put X D x (-1)) in N. destruct N as (l & L & A & T).
  assert (Q : forall a, 0 <= D a + put a x (-1)).
  { intro a. specialize (P a). unfold put. destruct dec; [subst|]; lia. }
  pose proof (total_le X [c] l _ Q) as B. cbn [total] in B. rewrite T in B. specialize (Q c).
  assert (D c + put c x (-1) + 0 <= 1 + -1).
  { apply B; [repeat constructor; auto |]. intros b [<-|[]]. apply A. }
  unfold put in *. destruct dec; lia.
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

(* ---- one record after the other: how many come or go in m, among the cells that are listed ---- *)
Fixpoint moves {X} (l : list X) (m : X -> Prop) (D E : db X) : nat :=
  match l with [] => 0 | c :: t => (if dec (m c) then Z.abs_nat (E c - D c) else 0) + moves t m D E end%nat.
Definition all_cells {X} (c : X) := True.
Lemma moves_cons X (c : X) l D E : moves (c :: l) all_cells D E = (Z.abs_nat (E c - D c) + moves l all_cells D E)%nat.
Proof. cbn [moves]. unfold all_cells at 1. destruct (dec True); tauto. Qed.
Lemma changed_list X (D E : db X) : finite D -> finite E -> exists l, NoDup l /\ forall c, In c l <-> D c <> E c.
Proof.
  intros (d & F) (e & G). set (p := fun c => if dec (D c = E c) then false else true).
  exists (filter p (nodup (fun a b => dec (a = b)) (d ++ e))). split; [apply NoDup_filter, NoDup_nodup|].
  intro c. rewrite filter_In, nodup_In, in_app_iff. unfold p. destruct (dec (D c = E c)) as [q|q]; [intuition congruence|].
  split; [tauto|]. intros _. split; [|reflexivity]. destruct (Z.eq_dec (D c) 0); [right; apply G | left; now apply F]. congruence.
Qed.
Lemma moves_none X (l : list X) D F : (forall c, In c l -> D c = F c) -> moves l all_cells D F = 0%nat.
Proof. induction l as [|a l IH]; intros H; [reflexivity|]. rewrite moves_cons, IH, (H a) by auto with datatypes. lia. Qed.
Lemma moves_put X (l : list X) (D F : db X) x : NoDup l -> In x l -> F x < D x ->
  moves l all_cells D F = S (moves l all_cells (fun c => D c + put c x (-1)) F).
Proof.
  intros N I L. induction N as [|a l A N IH]; [destruct I|]. rewrite !moves_cons.
  unfold put at 1. destruct (dec (a = x)) as [->|ne].
  - assert (e : moves l all_cells (fun c => D c + put c x (-1)) F = moves l all_cells D F); [|rewrite e; lia].
    clear - A. induction l as [|b l IH]; [reflexivity|]. rewrite !moves_cons, IH by (intro; apply A; now right).
    unfold put. destruct (dec (b = x)) as [->|]; [destruct A; now left|]. now rewrite Z.add_0_r.
  - destruct I; [contradiction|]. rewrite IH by assumption. lia.
Qed.
Lemma walk_down X (G : db X -> db X -> Prop) (F : db X) l : NoDup l -> forall n (D : db X), (forall c, F c <= D c) ->
  (forall c, D c <> F c -> In c l) -> moves l all_cells D F = n ->
  (forall H H' x, (forall c, F c <= H' c) -> (forall c, H c <= D c) -> (forall c, H c = H' c + put c x 1) -> G H H') ->
  path G n D F.
Proof.
  intros N. induction n as [|n IH]; intros D L A M step.
  - apply path0. apply functional_extensionality. intro c. apply NNPP. intro ne. specialize (A c ne). specialize (L c).
    rewrite (moves_put X l D F c N A) in M by lia. discriminate.
  - destruct (classic (exists c, D c <> F c)) as [(c & ne)|all].
    + pose proof (A c ne) as I. assert (F c < D c) by (specialize (L c); lia). rewrite (moves_put X l D F c N I H) in M.
      injection M as M. apply PS with (fun x => D x + put x c (-1)).
      * apply (step _ _ c); intro x; unfold put; [|lia|]; destruct (dec (x = c)); subst; try lia. specialize (L x). lia.
      * apply IH; auto.
        -- intro x. specialize (L x). unfold put. destruct (dec (x = c)); subst; lia.
        -- intros x nx. destruct (dec (x = c)) as [->|nc]; [assumption|]. apply A. unfold put in nx. destruct (dec (x = c)); [contradiction|]. lia.
        -- intros H0 H1 x low high e. apply (step H0 H1 x); auto. intro y. specialize (high y). unfold put in high. destruct (dec (y = c)); lia.
    + rewrite moves_none in M; [discriminate|]. intros c _. apply NNPP. intro ne. apply all. now exists c.
Qed.
Theorem walk X (G : db X -> db X -> Prop) (D E : db X) (m : X -> Prop) l : NoDup l -> (forall c, In c l <-> D c <> E c) ->
  (forall c, 0 <= D c) -> (forall c, 0 <= E c) -> (forall H H', G H H' -> G H' H) ->
  (forall H H' x, (forall c, 0 <= H' c) -> (forall c, H c <= D c) \/ (forall c, H c <= E c) -> (forall c, H c = H' c + put c x 1) -> G H H') ->
  path G (moves l m D E) (keep m D) (keep m E).
Proof.
  intros N A P Q S step. set (F := fun c => Z.min (D c) (E c)).
  assert (half : forall B, (B = D \/ B = E) -> path G (moves l all_cells (keep m B) (keep m F)) (keep m B) (keep m F)).
  { intros B K. apply (walk_down X G (keep m F) l N); auto.
    - intro c. unfold keep, F. destruct (dec (m c)); destruct K; subst; lia.
    - intros c ne. apply A. intro e. apply ne. unfold keep, F. destruct (dec (m c)); destruct K; subst; lia.
    - intros H H' x low high e. apply (step H H' x); auto.
      + intro c. specialize (low c). specialize (P c). specialize (Q c). unfold keep, F in low. destruct (dec (m c)); lia.
      + destruct K; subst; [left | right]; intro c; specialize (high c); specialize (P c); specialize (Q c); unfold keep in high; destruct (dec (m c)); lia. }
  replace (moves l m D E) with (moves l all_cells (keep m D) (keep m F) + moves l all_cells (keep m E) (keep m F))%nat.
  - eapply path_app; [apply half; auto | apply path_sym; auto].
  - clear. induction l as [|c l IH]; [reflexivity|]. rewrite !moves_cons. cbn [moves]. rewrite <- IH. generalize (moves l all_cells (keep m D) (keep m F)) (moves l all_cells (keep m E) (keep m F)). intros u v. unfold keep, F. destruct (dec (m c)); lia.
Qed.
Lemma keep_all X (D : db X) : keep all_cells D = D.
Proof. apply functional_extensionality. intro c. unfold keep, all_cells. destruct (dec True); tauto. Qed.
(* each record that comes or goes costs what its blocks cost *)
Lemma sum_moves_held X (bl : list Z) (mem : Z -> X -> Prop) (l : list X) D E (g : Z -> R) q : (forall i, In i bl -> 0 <= g i)%R ->
  (forall c, In c l -> (cnt bl (fun i => mem i c) <= q)%nat) ->
  (sum bl (fun i => INR (moves l (mem i) D E) * g i) <= INR (moves l (fun c => exists i, mem i c) D E) * worst q bl g)%R.
Proof.
  intros P H. induction l as [|c l IH].
  - cbn [INR moves]. rewrite sum_zero; [lra|]. intros. ring.
  - specialize (IH (fun x I => H x (or_intror I))). specialize (H c (or_introl eq_refl)).
    cbn [moves]. rewrite plus_INR.
    apply Rle_trans with (sum bl (fun i => (INR (Z.abs_nat (E c - D c)) * (if dec (mem i c) then g i else 0) + INR (moves l (mem i) D E) * g i)%R)).
    + apply sum_le. intros i I. rewrite plus_INR. destruct (dec (mem i c)); cbn [INR]; lra.
    + rewrite sum_plus, sum_mult. pose proof (pos_INR (Z.abs_nat (E c - D c))). destruct (dec (exists i, mem i c)) as [_|none].
      * pose proof (sum_worst Z bl (fun i => mem i c) g q P H) as W. nra.
      * rewrite (sum_zero Z bl (fun i => if dec (mem i c) then g i else 0%R)); [cbn [INR]; lra|].
        intros i _. destruct dec as [m|]; [destruct none; now exists i | reflexivity].
Qed.
Lemma moves_le X (l : list X) (m : X -> Prop) D E : (moves l m D E <= moves l all_cells D E)%nat.
Proof. induction l as [|c l IH]; [auto|]. rewrite moves_cons. cbn [moves]. destruct dec; lia. Qed.
Lemma sum_moves X (bl : list Z) (mem : Z -> X -> Prop) (l : list X) D E (g : Z -> R) q : (forall i, In i bl -> 0 <= g i)%R ->
  (forall c, In c l -> (cnt bl (fun i => mem i c) <= q)%nat) ->
  (sum bl (fun i => INR (moves l (mem i) D E) * g i) <= INR (moves l all_cells D E) * worst q bl g)%R.
Proof.
  intros P H. eapply Rle_trans; [now apply (sum_moves_held X bl mem l D E g q)|].
  apply Rmult_le_compat_r; [apply worst_pos | apply le_INR, moves_le].
Qed.
(* ... also where several records in a block cost more than one by one, up to their share of all *)
Lemma sum_moves_share X (bl : list Z) (mem : Z -> X -> Prop) (l : list X) D E (f : Z -> nat -> R) q n : (forall i r, In i bl -> 0 <= f i r)%R ->
  (forall i r, In i bl -> (r <= n)%nat -> INR n * f i r <= INR r * f i n)%R -> (forall i, In i bl -> f i 0%nat = 0%R) ->
  (forall c, In c l -> (cnt bl (fun i => mem i c) <= q)%nat) -> (moves l all_cells D E <= n)%nat ->
  (sum bl (fun i => f i (moves l (mem i) D E)) <= worst q bl (fun i => f i n))%R.
Proof.
  intros P share zero H M. destruct n as [|n].
  - rewrite sum_zero; [apply worst_pos|]. intros i I. pose proof (moves_le X l (mem i) D E).
    replace (moves l (mem i) D E) with 0%nat by lia. now apply zero.
  - assert (N : (0 < INR (S n))%R) by (apply lt_0_INR; lia). apply Rmult_le_reg_l with (INR (S n)); [exact N|].
    rewrite <- sum_mult. eapply Rle_trans; [apply sum_le with (g := fun i => (INR (moves l (mem i) D E) * f i (S n))%R)|].
    + intros i I. apply share; [exact I|]. pose proof (moves_le X l (mem i) D E). lia.
    + eapply Rle_trans; [apply (sum_moves X bl mem l D E (fun i => f i (S n)) q); auto|].
      apply Rmult_le_compat_r; [apply worst_pos | now apply le_INR].
Qed.
Lemma moves_total X (l : list X) (D E : db X) : (forall c, 0 <= D c) -> (forall c, 0 <= E c) ->
  Z.of_nat (moves l all_cells D E) <= total l D + total l E.
Proof.
  intros P Q. induction l as [|c l IH]; [cbn; lia|]. rewrite moves_cons. cbn [total]. specialize (P c). specialize (Q c). lia.
Qed.
Lemma moves_one_way X (l : list X) (D E : db X) : (forall c, 0 <= D c) -> (forall c, 0 <= E c) ->
  (forall c, In c l -> E c <= D c) \/ (forall c, In c l -> D c <= E c) ->
  Z.of_nat (moves l all_cells D E) <= total l D \/ Z.of_nat (moves l all_cells D E) <= total l E.
Proof.
  intros P Q [H|H]; [left | right]; (induction l as [|c l IH]; [cbn; lia|]); rewrite moves_cons; cbn [total];
    specialize (IH (fun x I => H x (or_intror I))); specialize (H c (or_introl eq_refl)); specialize (P c); specialize (Q c); lia.
Qed.
(* at most 2b records come or go if all share a key that at most b records share *)
Lemma moves_limited X K (key : X -> K) v (D E : db X) b l : (forall c, 0 <= D c) -> (forall c, 0 <= E c) -> limited key D b -> limited key E b ->
  NoDup l -> (forall c, In c l -> key c = v) -> Z.of_nat (moves l all_cells D E) <= 2 * b.
Proof.
  intros P Q L M N H. pose proof (moves_total X l D E P Q). specialize (L l v N H). specialize (M l v N H). lia.
Qed.
Lemma moves_limited_one_way X K (key : X -> K) v (D E : db X) b l : (forall c, 0 <= D c) -> (forall c, 0 <= E c) -> limited key D b -> limited key E b ->
  NoDup l -> (forall c, In c l -> key c = v) -> (forall c, In c l -> E c <= D c) \/ (forall c, In c l -> D c <= E c) ->
  Z.of_nat (moves l all_cells D E) <= b.
Proof.
  intros P Q L M N H K'. specialize (L l v N H). specialize (M l v N H). destruct (moves_one_way X l D E P Q K'); lia.
Qed.
(* of a frame that is one case or another each case may have a limit of its own *)
Lemma moves_cases X (l : list X) (m : X -> Prop) (D E : db X) a b : NoDup l ->
  (forall k, NoDup k -> incl k l -> (forall c, In c k -> m c) -> Z.of_nat (moves k all_cells D E) <= a) ->
  (forall k, NoDup k -> incl k l -> (forall c, In c k -> ~ m c) -> Z.of_nat (moves k all_cells D E) <= b) ->
  Z.of_nat (moves l all_cells D E) <= a + b.
Proof.
  intros N A B. set (one := fun c => if dec (m c) then true else false). set (two := fun c => negb (one c)).
  assert (S : Z.of_nat (moves l all_cells D E) = Z.of_nat (moves (filter one l) all_cells D E) + Z.of_nat (moves (filter two l) all_cells D E)).
  { clear. induction l as [|c l IH]; [reflexivity|]. cbn [filter]. unfold two at 1. rewrite moves_cons.
    destruct (one c); cbn [negb]; rewrite moves_cons; lia. }
  assert (I : Z.of_nat (moves (filter one l) all_cells D E) <= a).
  { apply A; [now apply NoDup_filter | intros c C; now apply filter_In in C |]. intros c C. apply filter_In in C.
    destruct C as (_ & e). unfold one in e. destruct dec; [assumption | discriminate]. }
  assert (J : Z.of_nat (moves (filter two l) all_cells D E) <= b).
  { apply B; [now apply NoDup_filter | intros c C; now apply filter_In in C |]. intros c C. apply filter_In in C.
    destruct C as (_ & e). unfold two, one in e. destruct dec; [discriminate | assumption]. }
  lia.
Qed.
(* at most m b records share v, if these have at most m different values, and b records share each *)
Lemma values_listed X V (of : X -> V) cs : exists r, NoDup (map of r) /\ incl r cs /\ forall c, In c cs -> In (of c) (map of r).
Proof.
  induction cs as [|c cs (r & N & I & H)]; [exists []; split; [constructor | split; [intros c [] | intros c []]]|].
  destruct (classic (In (of c) (map of r))) as [J|J].
  - exists r. split; [exact N | split; [intros x K; right; now apply I|]]. intros x [<-|K]; auto.
  - exists (c :: r). split; [now constructor | split].
    + intros x [<-|K]; [now left | right; now apply I].
    + intros x [<-|K]; [now left | right; auto].
Qed.
Lemma total_filter X (l : list X) (D : db X) : total (filter (fun c => if dec (D c <> 0) then true else false) l) D = total l D.
Proof. induction l as [|c l IH]; [reflexivity|]. cbn [filter total]. destruct (dec (D c <> 0)); cbn [total]; lia. Qed.
Lemma total_values X K V W (key : X -> K) (each : X -> V) (of : X -> W) (k : W -> K) v (D : db X) b m l : (forall c, 0 <= D c) -> 0 <= b ->
  limited key D b -> few_values each of D m -> NoDup l -> (forall c, In c l -> each c = v /\ key c = k (of c)) -> total l D <= m * b.
Proof.
  intros P B L F N H. rewrite <- total_filter. set (s := filter _ l).
  assert (S : forall c, In c s -> In c l /\ D c <> 0).
  { intros c I. apply filter_In in I. destruct I as (I & e). destruct dec; [tauto | discriminate]. }
  destruct (values_listed X W of s) as (r & R & I & J).
  assert (few : Z.of_nat (length r) <= m).
  { apply (F r v R). intros c C. apply I, S in C. split; [apply C | now apply H]. }
  assert (M : total s D <= Z.of_nat (length r) * b); [|nia].
  destruct r as [|c0 r0] eqn:E0.
  { destruct s as [|c s0]; [cbn; lia|]. destruct (J c (or_introl eq_refl)). }
  rewrite <- E0 in *. apply (limited_many X K key D b (fun j => k (nth j (map of r) (of c0)))); auto.
  - unfold s. now apply NoDup_filter.
  - intros c C. destruct (In_nth (map of r) (of c) (of c0) (J c C)) as (j & len & e). exists j.
    rewrite map_length in len. split; [exact len|]. rewrite e. apply H. now apply S.
Qed.
Lemma few_values_range X V (each : X -> V) (of : X -> Z) (D : db X) low n : 0 <= n ->
  (forall c, D c <> 0 -> low <= of c < low + n) -> few_values each of D n.
Proof.
  intros P H l v N K. assert (I : incl (map of l) (map (fun i => low - 1 + i) (range n))).
  { intros w J. apply in_map_iff in J. destruct J as (c & <- & J). destruct (K c J) as (nc & _). specialize (H c nc).
    apply in_map_iff. exists (of c - low + 1). split; [lia | apply in_range; lia]. }
  pose proof (NoDup_incl_length N I) as L. rewrite !map_length in L. unfold range in L. rewrite map_length, seq_length in L. lia.
Qed.
Lemma moves_values X K V W (key : X -> K) (each : X -> V) (of : X -> W) (k : W -> K) v (D E : db X) b m l : (forall c, 0 <= D c) -> (forall c, 0 <= E c) ->
  0 <= b -> limited key D b -> limited key E b -> few_values each of D m -> few_values each of E m -> NoDup l ->
  (forall c, In c l -> each c = v /\ key c = k (of c)) -> Z.of_nat (moves l all_cells D E) <= 2 * (m * b).
Proof.
  intros P Q B L M F G N H. pose proof (moves_total X l D E P Q).
  pose proof (total_values X K V W key each of k v D b m l P B L F N H).
  pose proof (total_values X K V W key each of k v E b m l Q B M G N H). lia.
Qed.
Lemma moves_values_one_way X K V W (key : X -> K) (each : X -> V) (of : X -> W) (k : W -> K) v (D E : db X) b m l : (forall c, 0 <= D c) -> (forall c, 0 <= E c) ->
  0 <= b -> limited key D b -> limited key E b -> few_values each of D m -> few_values each of E m -> NoDup l ->
  (forall c, In c l -> each c = v /\ key c = k (of c)) -> (forall c, In c l -> E c <= D c) \/ (forall c, In c l -> D c <= E c) ->
  Z.of_nat (moves l all_cells D E) <= m * b.
Proof.
  intros P Q B L M F G N H K'. pose proof (total_values X K V W key each of k v D b m l P B L F N H).
  pose proof (total_values X K V W key each of k v E b m l Q B M G N H). destruct (moves_one_way X l D E P Q K'); lia.
Qed.
(* records that share v have at most m different values, by records of D and by others of E: so many stand for all of them *)
Lemma few_stand X V W (each : X -> V) (of : X -> W) v (D : db X) m l : few_values each of D m ->
  (forall c, In c l -> D c <> 0 /\ each c = v) ->
  exists r, Z.of_nat (length r) <= m /\ incl r l /\ forall c, In c l -> exists y, In y r /\ of y = of c.
Proof.
  intros F H. destruct (values_listed X W of l) as (r & R & I & J).
  exists r. split; [apply (F r v R); intros c C; apply H, I, C | split; [exact I|]].
  intros c C. apply J, in_map_iff in C. destruct C as (y & e & Y). now exists y.
Qed.
Lemma few_stand_both X V W (each : X -> V) (of : X -> W) v (D E : db X) m l : few_values each of D m -> few_values each of E m ->
  (forall c, In c l -> D c <> E c) -> (forall c, In c l -> each c = v) ->
  exists r, Z.of_nat (length r) <= 2 * m /\ incl r l /\ forall c, In c l -> exists y, In y r /\ of y = of c.
Proof.
  intros F G N H. set (p := fun c => if dec (D c <> 0) then true else false).
  destruct (few_stand X V W each of v D m (filter p l) F) as (r & L & I & J).
  { intros c C. apply filter_In in C. destruct C as (C & e). unfold p in e. destruct dec; [split; [assumption | now apply H] | discriminate]. }
  destruct (few_stand X V W each of v E m (filter (fun c => negb (p c)) l) G) as (s & M & K & O).
  { intros c C. apply filter_In in C. destruct C as (C & e). split; [|now apply H]. specialize (N c C).
    unfold p in e. destruct dec as [d|d]; [discriminate|]. destruct (Z.eq_dec (D c) 0); [congruence | tauto]. }
  exists (r ++ s). split; [rewrite app_length; lia | split].
  { intros c C. apply in_app_iff in C. destruct C as [C|C]; [apply I in C | apply K in C]; apply filter_In in C; apply C. }
  intros c C. destruct (p c) eqn:e.
  { destruct (J c) as (y & Y & f); [now apply filter_In | exists y; split; [apply in_app_iff; now left | exact f]]. }
  destruct (O c) as (y & Y & f); [apply filter_In; now rewrite e | exists y; split; [apply in_app_iff; now right | exact f]].
Qed.
Lemma few_stand_one_way X V W (each : X -> V) (of : X -> W) v (D E : db X) m l : (forall c, 0 <= D c) -> (forall c, 0 <= E c) ->
  few_values each of D m -> few_values each of E m -> (forall c, In c l -> D c <> E c) -> (forall c, In c l -> each c = v) ->
  (forall c, In c l -> E c <= D c) \/ (forall c, In c l -> D c <= E c) ->
  exists r, Z.of_nat (length r) <= m /\ incl r l /\ forall c, In c l -> exists y, In y r /\ of y = of c.
Proof.
  intros P Q F G N H [K|K]; [apply (few_stand X V W each of v D m l F) | apply (few_stand X V W each of v E m l G)]; intros c C;
    specialize (N c C); specialize (K c C); specialize (P c); specialize (Q c); (split; [lia | now apply H]).
Qed.
(* each block that changes has a record that comes or goes *)
Lemma cnt_moves X (bl : list Z) (mem : Z -> X -> Prop) (l : list X) D E q : (forall c, In c l <-> D c <> E c) ->
  (forall c, In c l -> (cnt bl (fun i => mem i c) <= q)%nat) ->
  (cnt bl (fun i => keep (mem i) D <> keep (mem i) E) <= q * moves l all_cells D E)%nat.
Proof.
  intros A H. apply INR_le. rewrite mult_INR.
  assert (one : forall P : Z -> Prop, INR (cnt bl P) = sum bl (fun i => if dec (P i) then 1%R else 0%R)).
  { intro P. clear. induction bl as [|i b IH]; [reflexivity|]. cbn [cnt sum]. rewrite plus_INR, IH. unfold one_if. destruct (dec (P i)); cbn; lra. }
  rewrite one. eapply Rle_trans; [apply sum_le with (g := fun i => (INR (moves l (mem i) D E) * 1)%R)|].
  - intros i _. pose proof (pos_INR (moves l (mem i) D E)). destruct dec as [ne|]; [|lra].
    apply keep_diff in ne. destruct ne as (c & m & n). apply A in n.
    assert (L : (1 <= moves l (mem i) D E)%nat); [|apply (le_INR 1) in L; cbn in L; lra].
    assert (nc : D c <> E c) by now apply A. clear - m n nc. induction l as [|x l IH]; [destruct n|]. cbn [moves].
    destruct n as [->|n]; [destruct dec; [lia | contradiction] | specialize (IH n); lia].
  - eapply Rle_trans; [apply (sum_moves X bl mem l D E (fun _ => 1%R) q); [intros; lra | exact H]|].
    rewrite Rmult_comm. apply Rmult_le_compat_r; [apply pos_INR|].
    rewrite <- (Rmult_1_r (INR q)). apply worst_times; [lra | intros; lra].
Qed.
Lemma moves_apart X (l : list X) (m n : X -> Prop) D E : (forall c, In c l -> m c -> n c -> False) ->
  (moves l m D E + moves l n D E <= moves l all_cells D E)%nat.
Proof.
  induction l as [|c l IH]; intros H; [auto|]. rewrite moves_cons. cbn [moves].
  specialize (IH (fun x I => H x (or_intror I))). specialize (H c (or_introl eq_refl)). destruct (dec (m c)), (dec (n c)); tauto || lia.
Qed.
(* ... and seen through what records become *)
Theorem walk_image X Y (G : db Y -> db Y -> Prop) (m : X -> Prop) (f : X -> Y) (D E : db X) l : NoDup l -> (forall c, In c l <-> D c <> E c) ->
  (forall c, 0 <= D c) -> (forall c, 0 <= E c) -> finite D -> finite E -> (forall H H', G H H' -> G H' H) ->
  (forall H H' x, (forall c, 0 <= H' c) -> (forall c, H c <= D c) \/ (forall c, H c <= E c) -> (forall c, H c = H' c + put c x 1) ->
    m x -> (forall y, image m f H y = image m f H' y + put y (f x) 1) -> G (image m f H) (image m f H')) ->
  exists n, (n <= moves l all_cells D E)%nat /\ path G n (image m f D) (image m f E).
Proof.
  intros N A P Q FD FE S step. set (G0 := fun H H' => image m f H = image m f H' \/ G (image m f H) (image m f H')).
  assert (W : path G0 (moves l all_cells D E) D E).
  { pose proof (walk X G0 D E all_cells l N A P Q) as W. rewrite !keep_all in W. apply W.
    - intros H H' [e|g]; [left; now symmetry | right; now apply S].
    - intros H H' x low high e. assert (H'_le : forall c, H' c <= H c) by (intro c; rewrite e; unfold put; destruct (dec (c = x)); lia).
      assert (F : finite H').
      { destruct high as [h|h]; [apply (finite_sub X D H' FD) | apply (finite_sub X E H' FE)];
          intros c nc; specialize (low c); specialize (h c); specialize (H'_le c); lia. }
      assert (H_pos : forall c, 0 <= H c) by (intro c; specialize (low c); specialize (H'_le c); lia).
      pose proof (image_put m f H' H x 1 low H_pos F e) as im. destruct (dec (m x)) as [mx|mx].
      + right. now apply (step H H' x).
      + left. apply functional_extensionality. intro y. rewrite im. lia. }
  clear - W. induction W as [D|n D D' D'' g _ (k & L & K)]; [exists 0%nat; split; [lia | constructor]|].
  destruct g as [e|g]; [exists k; rewrite e; split; [lia | assumption] | exists (S k); split; [lia | econstructor; eassumption]].
Qed.
(* ---- records with values near each other ---- *)
Lemma moves_sub X (l : list X) (m n : X -> Prop) D E : (forall c, In c l -> m c -> n c) ->
  (moves l m D E <= moves l n D E)%nat.
Proof.
  induction l as [|a l IH]; intros H; [auto|]. cbn [moves].
  assert (moves l m D E <= moves l n D E)%nat by (apply IH; intros; apply H; [now right | assumption]).
  destruct (dec (m a)) as [i|]; [|lia]. apply H in i; [|now left]. destruct dec; [lia | contradiction].
Qed.
Lemma moves_empty X (l : list X) (m : X -> Prop) D E : (forall c, In c l -> ~ m c) -> moves l m D E = 0%nat.
Proof.
  induction l as [|a l IH]; intros H; [reflexivity|]. cbn [moves]. rewrite IH by (intros; apply H; now right).
  destruct dec as [i|]; [|reflexivity]. destruct (H a (or_introl eq_refl) i).
Qed.
Lemma moves_split X (l : list X) (m p : X -> Prop) D E :
  (moves l m D E <= moves l (fun c => m c /\ p c) D E + moves l (fun c => m c /\ ~ p c) D E)%nat.
Proof. induction l as [|a l IH]; [auto|]. cbn [moves]. repeat destruct dec; try lia; tauto. Qed.
Lemma moves_few X (l : list X) (f : X -> Z) lo b D E n : forall m : X -> Prop,
  (forall c, In c l -> m c -> lo <= f c < lo + Z.of_nat n) ->
  (forall v, (moves l (fun c => m c /\ f c = v) D E <= b)%nat) -> (moves l m D E <= n * b)%nat.
Proof.
  induction n as [|n IH]; intros m W F; [rewrite moves_empty; [lia | intros c I i; specialize (W c I i); lia]|].
  pose proof (moves_split X l m (fun c => f c = lo + Z.of_nat n) D E) as T. cbv beta in T. specialize (F (lo + Z.of_nat n)) as L.
  assert (moves l (fun c => m c /\ (f c <> lo + Z.of_nat n)%Z) D E <= n * b)%nat; [|cbn; lia].
  apply IH; [intros c I (i & ne); specialize (W c I i); lia|]. intros v. eapply Nat.le_trans; [|apply (F v)].
  apply moves_sub. tauto.
Qed.
Lemma least_of X (l : list X) (m : X -> Prop) (f : X -> Z) : (forall c, In c l -> ~ m c) \/
  exists z, In z l /\ m z /\ forall c, In c l -> m c -> f z <= f c.
Proof.
  induction l as [|a l [IH|(z & I & i & H)]]; [left; intros c [] | |].
  - destruct (classic (m a)) as [i|n].
    + right. exists a. split; [now left | split; [assumption|]]. intros c [<-|J] j; [lia|]. destruct (IH c J j).
    + left. intros c [<-|J]; auto.
  - right. destruct (classic (m a /\ f a <= f z)) as [(j & L)|n].
    + exists a. split; [now left | split; [assumption|]]. intros c [<-|J] k; [lia|]. specialize (H c J k). lia.
    + exists z. split; [now right | split; [assumption|]]. intros c [<-|J] k; [|auto]. destruct (Z.le_gt_cases (f a) (f z)); [tauto | lia].
Qed.
(* values that differ by less than a are at most a; for each of them there is b at most *)
Theorem moves_near X (l : list X) (m : X -> Prop) (f : X -> Z) a b D E : 0 <= a ->
  (forall y z, In y l -> In z l -> m y -> m z -> f z - f y < a) ->
  (forall v, (moves l (fun c => m c /\ f c = v) D E <= b)%nat) -> (moves l m D E <= Z.to_nat a * b)%nat.
Proof.
  intros P N F. destruct (least_of X l m f) as [H|(y & I & i & H)]; [rewrite moves_empty by assumption; lia|].
  apply (moves_few X l f (f y)); [|exact F]. intros c J j. specialize (H c J j). specialize (N y c I J i j). lia.
Qed.
(* records that share a key of a limit: b of D's go, and b of E's come *)
Lemma moves_filter X (l : list X) (m : X -> Prop) D E :
  moves l m D E = moves (filter (fun c => if dec (m c) then true else false) l) all_cells D E.
Proof. induction l as [|c l IH]; [reflexivity|]. cbn [moves filter]. destruct (dec (m c)); [now rewrite moves_cons, IH | exact IH]. Qed.
Lemma moves_keyed X K (key : X -> K) (D E : db X) b l (m : X -> Prop) v : (forall c, 0 <= D c) -> (forall c, 0 <= E c) ->
  limited key D b -> limited key E b -> NoDup l -> (moves l (fun c => m c /\ key c = v) D E <= Z.to_nat (2 * b))%nat.
Proof.
  intros P Q L M N. rewrite moves_filter. set (s := filter _ l).
  assert (S : forall c, In c s -> key c = v).
  { intros c I. apply filter_In in I. destruct I as (_ & e). destruct dec as [(_ & k)|]; [exact k | discriminate]. }
  pose proof (moves_limited X K key v D E b s P Q L M (NoDup_filter _ N) S). lia.
Qed.
Lemma moves_alone X (l : list X) (m : X -> Prop) D E b : NoDup l -> (forall c, In c l -> (Z.abs_nat (E c - D c) <= b)%nat) ->
  (forall y z, In y l -> In z l -> m y -> m z -> y = z) -> (moves l m D E <= b)%nat.
Proof.
  intros N. induction N as [|a l A N IH]; intros B U; [cbn; lia|]. cbn [moves]. destruct (dec (m a)) as [i|n].
  - rewrite moves_empty; [specialize (B a (or_introl eq_refl)); lia|]. intros c J j.
    rewrite (U c a (or_intror J) (or_introl eq_refl) j i) in J. contradiction.
  - apply IH; intros; [apply B | apply U]; auto with datatypes.
Qed.

Lemma limited_two X K (key : X -> K) D (x y : X) b : (forall c, D c = put c x 1 + put c y 1) ->
  (key x <> key y /\ 1 <= b) \/ 2 <= b -> limited key D b.
Proof.
  intros H P l v N J. rewrite (total_ext _ _ _ _ H). rewrite total_plus. pose proof (total_put X l x 1 N). pose proof (total_put X l y 1 N).
  assert (none : forall z, key z <> v -> total l (fun c => put c z 1) = 0).
  { intros z n. clear - n J. induction l as [|c l IH]; [reflexivity|]. cbn [total]. rewrite IH by (intros; apply J; now right).
    unfold put. destruct (dec (c = z)) as [e|]; [|reflexivity]. subst c. destruct n. apply J. now left. }
  destruct P as [(n & B)|B]; [|lia]. destruct (classic (key x = v)) as [e|e].
  - rewrite (none y) by congruence. lia.
  - rewrite (none x) by assumption. lia.
Qed.
(* ---- records that share a key, in blocks of which each holds few: D's records go, E's come ---- *)
Lemma total_keep X (l : list X) (m : X -> Prop) (F : db X) :
  total l (keep m F) = total (filter (fun c => if dec (m c) then true else false) l) F.
Proof. induction l as [|c l IH]; cbn; [reflexivity|]. rewrite IH. unfold keep. destruct (dec (m c)); cbn; lia. Qed.
Lemma total_alike X K (key : X -> K) (F : db X) b l (m : X -> Prop) : NoDup l -> 0 <= b -> limited key F b ->
  (forall y z, In y l -> In z l -> m y -> m z -> key y = key z) -> total l (keep m F) <= b.
Proof.
  intros N P L H. rewrite total_keep. set (s := filter _ l).
  assert (S : forall c, In c s -> In c l /\ m c).
  { intros c I. apply filter_In in I. destruct I as (I & e). split; [exact I|]. destruct (dec (m c)); [assumption | discriminate]. }
  assert (NS : NoDup s) by now apply NoDup_filter. clearbody s. destruct s as [|c s]; [exact P|].
  apply (L (c :: s) (key c)); [assumption|]. intros y I. destruct (S y I), (S c (or_introl eq_refl)). auto.
Qed.
Lemma cnt_held X K (bl : list Z) (F : db X) (key : X -> K) v b (mem : Z -> X -> Prop) l : NoDup bl -> (forall c, 0 <= F c) ->
  limited key F b -> (forall c, In c l -> key c = v) -> (forall i j c, In c l -> mem i c -> mem j c -> i = j) ->
  (cnt bl (fun i => exists c, In c l /\ mem i c /\ F c <> 0%Z) <= Z.to_nat b)%nat.
Proof.
  intros N P L H one. set (G := fun c => if dec (In c l) then F c else 0).
  assert (inside : forall c, G c <> 0 -> In c l /\ F c <> 0) by (intros c; unfold G; destruct dec; tauto).
  destruct (changed_cells X K bl G (fun _ => 0) key (fun k => k = v) mem (fun i => exists c, In c l /\ mem i c /\ F c <> 0%Z) N)
    as (cs & C & <- & W).
  - intros i (c & I & m & n). exists c. repeat split; auto. unfold G. destruct dec; tauto.
  - intros i j c m m' n. apply inside in n. apply (one i j c); tauto.
  - assert (Z.of_nat (length cs) <= total cs F); [|specialize (L cs v C (fun c I => proj2 (W c I))); lia].
    assert (W' : forall c, In c cs -> F c <> 0) by (intros c I; apply inside; now apply W). clear - P W'.
    induction cs as [|c cs IH]; cbn [length total]; [lia|]. specialize (IH (fun x I => W' x (or_intror I))).
    specialize (W' c (or_introl eq_refl)). specialize (P c). lia.
Qed.
Theorem sum_halves X (bl : list Z) (mem : Z -> X -> Prop) (l : list X) D E (g : Z -> R) b q : (forall i, In i bl -> 0 <= g i)%R ->
  0 <= b -> (forall c, 0 <= D c) -> (forall c, 0 <= E c) -> (forall F, F = D \/ F = E ->
    (cnt bl (fun i => exists c, In c l /\ mem i c /\ F c <> 0%Z) <= q)%nat /\ forall i, In i bl -> total l (keep (mem i) F) <= b) ->
  (sum bl (fun i => INR (moves l (mem i) D E) * g i) <= IZR (2 * b) * worst q bl g)%R.
Proof.
  intros P B PD PE H. assert (half : forall F, F = D \/ F = E -> (forall c, 0 <= F c) ->
    (sum bl (fun i => IZR (total l (keep (mem i) F)) * g i) <= IZR b * worst q bl g)%R).
  { intros F W PF. destruct (H F W) as (C & T). apply IZR_le in B. rewrite <- worst_mult by exact B.
    eapply Rle_trans; [|apply (sum_worst Z bl (fun i => exists c, In c l /\ mem i c /\ F c <> 0%Z) (fun i => (IZR b * g i)%R)); [|exact C]].
    - apply sum_le. intros i I. specialize (T i I). apply IZR_le in T. specialize (P i I).
      destruct dec as [_|none]; [now apply Rmult_le_compat_r|]. replace (total l (keep (mem i) F)) with 0; [lra|]. symmetry.
      assert (Z : forall c, In c l -> keep (mem i) F c = 0).
      { intros c J. unfold keep. destruct dec as [m|]; [|reflexivity]. apply NNPP. intro n. apply none. now exists c. }
      clear - Z. induction l as [|c s IH]; [reflexivity|]. cbn. rewrite IH, Z; auto with datatypes.
    - intros i I. specialize (P i I). now apply Rmult_le_pos. }
  pose proof (half D (or_introl eq_refl) PD) as HD. pose proof (half E (or_intror eq_refl) PE) as HE.
  apply Rle_trans with (sum bl (fun i => (IZR (total l (keep (mem i) D)) * g i + IZR (total l (keep (mem i) E)) * g i)%R)).
  - apply sum_le. intros i I. specialize (P i I). rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [exact P|].
    rewrite INR_IZR_INZ, <- plus_IZR. apply IZR_le. clear - PD PE.
    induction l as [|c s IH]; [cbn; lia|]. cbn [moves total]. unfold keep at 1 3. specialize (PD c). specialize (PE c). destruct (dec (mem i c)); lia.
  - rewrite sum_plus, mult_IZR. lra.
Qed.

(* ---- what changes, value after value ---- *)
Definition exchanged {X} (f : X -> Z) (k : Z) (D E : db X) : db X := fun c => if dec (f c < k) then E c else D c.
Lemma path_values X (G : db X -> db X -> Prop) (f : X -> Z) D E (step : forall k, G (exchanged f k D E) (exchanged f (k + 1) D E)) n :
  forall lo, path G n (exchanged f lo D E) (exchanged f (lo + Z.of_nat n) D E).
Proof.
  induction n as [|n IH]; intro lo.
  - apply path0. f_equal. lia.
  - econstructor; [apply step|]. replace (lo + Z.of_nat (S n)) with (lo + 1 + Z.of_nat n) by lia. apply IH.
Qed.
Theorem path_near X (G : db X -> db X -> Prop) (f : X -> Z) n D E : finite D -> finite E -> 0 <= n ->
  (forall y z, D y <> E y -> D z <> E z -> f z - f y < n) ->
  (forall k, G (exchanged f k D E) (exchanged f (k + 1) D E)) -> path G (Z.to_nat n) D E.
Proof.
  intros FD FE P N step. destruct (changed_list _ D E FD FE) as (l & _ & A).
  assert (W : exists lo, forall c, D c <> E c -> lo <= f c < lo + n).
  { destruct (least_of X l (fun c => D c <> E c) f) as [H|(y & I & i & H)].
    - exists 0. intros c i. destruct (H c); [now apply A | assumption].
    - exists (f y). intros c j. specialize (H c (proj2 (A c) j) j). specialize (N y c i j). lia. }
  destruct W as (lo & W). pose proof (path_values X G f D E step (Z.to_nat n) lo) as Q.
  rewrite Z2Nat.id in Q by assumption.
  replace (exchanged f lo D E) with D in Q; [replace (exchanged f (lo + n) D E) with E in Q; [exact Q|]|].
  - apply functional_extensionality. intro c. unfold exchanged. destruct dec as [|ge]; [reflexivity|].
    apply NNPP. intro ne. assert (D c <> E c) by congruence. specialize (W c H). lia.
  - apply functional_extensionality. intro c. unfold exchanged. destruct dec as [lt|]; [|reflexivity].
    apply NNPP. intro ne. specialize (W c ne). lia.
Qed.

(* ---- what changes, one piece after the other, each around a record ---- *)
Definition taken {X} (piece : X -> X -> Prop) (s : list X) (D E : db X) : db X :=
  fun c => if dec (exists r, In r s /\ piece r c) then E c else D c.
Lemma taken_in X (piece : X -> X -> Prop) r s D E c : piece r c -> taken piece (r :: s) D E c = E c.
Proof. intros P. unfold taken. destruct dec as [|n]; [reflexivity|]. destruct n. exists r. split; [now left | exact P]. Qed.
Lemma taken_out X (piece : X -> X -> Prop) r s D E c : (forall y, In y s -> piece y c -> y = r) -> ~ In r s ->
  taken piece s D E c = D c.
Proof. intros H N. unfold taken. destruct dec as [(y & I & P)|]; [|reflexivity]. destruct N. now rewrite <- (H y I P). Qed.
Lemma taken_other X (piece : X -> X -> Prop) r s D E c : ~ piece r c -> taken piece (r :: s) D E c = taken piece s D E c.
Proof.
  intros N. unfold taken. destruct (dec (exists y, In y (r :: s) /\ piece y c)) as [(y & [<-|I] & P)|n]; [contradiction | |].
  - destruct dec as [|n]; [reflexivity|]. destruct n. now exists y.
  - destruct dec as [(y & I & P)|]; [|reflexivity]. destruct n. exists y. split; [now right | exact P].
Qed.
Theorem path_taken X (G : db X -> db X -> Prop) (D E : db X) (piece : X -> X -> Prop) l : NoDup l ->
  (forall c, D c <> E c -> exists r, In r l /\ piece r c) ->
  (forall y z c, In y l -> In z l -> piece y c -> piece z c -> y = z) ->
  (forall r s F H, In r l -> incl s l -> F = taken piece s D E -> H = taken piece (r :: s) D E ->
    (forall c, piece r c -> F c = D c /\ H c = E c) -> (forall c, ~ piece r c -> H c = F c) -> G F H) ->
  path G (length l) D E.
Proof.
  intros N all apart step.
  assert (some : forall t s, NoDup t -> incl t l -> incl s l -> (forall c, In c t -> ~ In c s) ->
    path G (length t) (taken piece s D E) (taken piece (rev t ++ s) D E)).
  { induction t as [|r t IH]; intros s M T S A; [apply path0; reflexivity|]. inversion_clear M.
    assert (Ir : In r l) by (apply T; now left). cbn [rev]. rewrite <- app_assoc. cbn [app length].
    apply PS with (taken piece (r :: s) D E).
    - apply (step r s); auto; [|intros c n; now apply taken_other]. intros c P. split; [|now apply taken_in].
      apply taken_out with r; [|apply A; now left]. intros y I Q. apply (apart y r c); auto.
    - apply IH; auto; [intros c I; apply T; now right | intros c [<-|I]; auto |].
      intros c I [<-|J]; [contradiction | apply (A c (or_intror I) J)]. }
  specialize (some l [] N (incl_refl l) (incl_nil_l l) (fun c _ I => I)).
  replace (taken piece [] D E) with D in some.
  - replace (taken piece (rev l ++ []) D E) with E in some; [exact some|].
    apply functional_extensionality. intro c. unfold taken. destruct dec as [|n]; [reflexivity|].
    apply NNPP. intro ne. apply n. destruct (all c) as (r & I & P); [congruence|]. exists r. split; [|exact P].
    rewrite app_nil_r. now apply in_rev in I.
  - apply functional_extensionality. intro c. unfold taken. destruct dec as [(r & [] & _)|]; reflexivity.
Qed.
Lemma changed_some X (D E : db X) (ok : X -> Prop) : finite D -> finite E ->
  exists l, NoDup l /\ forall c, In c l <-> D c <> E c /\ ok c.
Proof.
  intros F G. destruct (changed_list X D E F G) as (l & N & A). exists (filter (fun c => if dec (ok c) then true else false) l).
  split; [now apply NoDup_filter|]. intro c. rewrite filter_In, A. destruct (dec (ok c)); intuition discriminate.
Qed.
Lemma length_moves X (l : list X) (D E : db X) : (forall c, In c l -> D c <> E c) -> (length l <= moves l all_cells D E)%nat.
Proof.
  induction l as [|c l IH]; intros H; [auto|]. rewrite moves_cons. cbn [length].
  specialize (IH (fun x I => H x (or_intror I))). specialize (H c (or_introl eq_refl)). lia.
Qed.

(* ---- few records, or so many, each in blocks around it ---- *)
Lemma listed_few X (l : list X) (D E : db X) n : (forall z, In z l <-> D z <> E z) ->
  (INR (moves l all_cells D E) <= IZR n)%R -> (length l <= Z.to_nat n)%nat.
Proof.
  intros A L. rewrite INR_IZR_INZ in L. apply le_IZR in L.
  pose proof (length_moves X l D E (fun c I => proj1 (A c) I)). lia.
Qed.
Lemma moves_points X (l : list X) (D E : db X) x y a b : NoDup l -> (forall c, E c = D c + put c x a + put c y b) ->
  Z.of_nat (moves l all_cells D E) <= Z.abs a + Z.abs b.
Proof.
  intros N K. pose proof (total_put X l x (Z.abs a) N (Z.abs_nonneg a)). pose proof (total_put X l y (Z.abs b) N (Z.abs_nonneg b)).
  apply Z.le_trans with (total l (fun c => put c x (Z.abs a)) + total l (fun c => put c y (Z.abs b))); [|lia]. clear - K.
  induction l as [|c l IH]; [cbn; lia|]. rewrite moves_cons. cbn [total]. specialize (K c). unfold put at 1 3.
  unfold put in K. destruct (dec (c = x)), (dec (c = y)); lia.
Qed.
Lemma changes_one X (D E : db X) l : D <> E -> (forall z, In z l <-> D z <> E z) -> (length l <= 1)%nat ->
  exists y1, In y1 l /\ forall z, D z <> E z -> z = y1.
Proof.
  intros ne A L. destruct l as [|y [|w l]]; cbn [length] in L; [|exists y | lia].
  - destruct ne. apply functional_extensionality. intro c. apply NNPP. intro n. now apply A in n.
  - split; [now left|]. intros z n. apply A in n. destruct n as [<-|[]]; reflexivity.
Qed.
(* where one choice stands for all records that change, it is that of one of them *)
Lemma one_stands X T (f : X -> T) (D E : db X) l : D <> E -> (length l <= 1)%nat ->
  (forall c, D c <> E c -> exists y, In y l /\ f y = f c) -> exists y, In y l /\ forall c, D c <> E c -> f y = f c.
Proof.
  intros ne L A. destruct l as [|y [|w l]]; cbn [length] in L; [|exists y | lia].
  - destruct ne. apply functional_extensionality. intro c. apply NNPP. intro n. now destruct (A c n) as (y & [] & _).
  - split; [now left|]. intros c n. destruct (A c n) as (v & [<-|[]] & e). exact e.
Qed.
Lemma changes_two X (D E : db X) l : D <> E -> (forall z, In z l <-> D z <> E z) -> (length l <= 2)%nat ->
  exists y1 y2, In y1 l /\ In y2 l /\ forall z, D z <> E z -> z = y1 \/ z = y2.
Proof.
  intros ne A L. destruct l as [|y [|w [|v l]]]; [| | |cbn [length] in L; lia].
  - destruct ne. apply functional_extensionality. intro c. apply NNPP. intro n. now apply A in n.
  - exists y, y. split; [now left | split; [now left|]]. intros z n. apply A in n. destruct n as [<-|[]]; auto.
  - exists y, w. split; [now left | split; [right; now left|]]. intros z n. apply A in n.
    destruct n as [<-|[<-|[]]]; auto.
Qed.
(* what the records cost that come or go, block by block and record by record *)
Lemma sum_moves_each I X (bl : list I) (mem : I -> X -> Prop) (l : list X) D E (g : I -> R) :
  (sum bl (fun i => INR (moves l (mem i) D E) * g i) =
   sum l (fun c => INR (Z.abs_nat (E c - D c)) * sum bl (fun i => if dec (mem i c) then g i else 0)))%R.
Proof.
  induction l as [|c l IH]; [apply sum_zero; intros; cbn; ring|]. cbn [sum]. rewrite <- IH, <- sum_mult, <- sum_plus.
  apply sum_eq. intros i _. cbn [moves]. rewrite plus_INR. destruct (dec (mem i c)); cbn [INR]; ring.
Qed.
(* n records cost no more than n times what one of them does *)
Lemma sum_mean X (l : list X) (D E : db X) (F : X -> R) n most : (INR (moves l all_cells D E) <= n)%R ->
  (0 <= most)%R -> (forall c, In c l -> n * F c <= most)%R -> (sum l (fun c => INR (Z.abs_nat (E c - D c)) * F c) <= most)%R.
Proof.
  intros N P H. assert (G : (n * sum l (fun c => INR (Z.abs_nat (E c - D c)) * F c) <= INR (moves l all_cells D E) * most)%R).
  { clear N. induction l as [|c l IH]; [cbn; lra|]. rewrite moves_cons, plus_INR. cbn [sum].
    specialize (IH (fun x I => H x (or_intror I))). specialize (H c (or_introl eq_refl)).
    pose proof (pos_INR (Z.abs_nat (E c - D c))). nra. }
  pose proof (pos_INR (moves l all_cells D E)) as Q. destruct (Rle_lt_dec n 0) as [z|p].
  - assert (none : moves l all_cells D E = 0%nat) by (apply INR_eq; cbn [INR]; lra). clear - none P.
    apply Rle_trans with 0%R; [right|exact P]. induction l as [|c l IH]; [reflexivity|]. rewrite moves_cons in none.
    cbn [sum]. rewrite IH by lia. replace (Z.abs_nat (E c - D c)) with 0%nat by lia. cbn [INR]. ring.
  - apply Rmult_le_reg_l with n; [exact p|]. nra.
Qed.
(* what several records make grow in a block is no more than so many shares of what all n of them would *)
Definition share (n : nat) (x : R) : R := (/ INR n * x)%R.
Lemma share_pos n x : (0 <= x)%R -> (0 <= share n x)%R.
Proof.
  intros P. unfold share. destruct n as [|n]; [cbn [INR]; rewrite Rinv_0; lra|].
  apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, lt_0_INR; lia | exact P].
Qed.
Lemma shares_all n x : (0 <= x)%R -> (INR n * share n x <= x)%R.
Proof.
  intros P. unfold share. destruct n as [|n]; [cbn [INR]; lra|]. right. field. apply not_0_INR. lia.
Qed.
Lemma sum_moves_parts I X (bl : list I) (mem : I -> X -> Prop) (l : list X) D E (f : I -> nat -> R) n :
  (forall i, In i bl -> 0 <= f i n)%R ->
  (forall i r, In i bl -> (r <= n)%nat -> INR n * f i r <= INR r * f i n)%R -> (forall i, In i bl -> f i 0%nat = 0%R) ->
  (moves l all_cells D E <= n)%nat ->
  (sum bl (fun i => f i (moves l (mem i) D E)) <= sum bl (fun i => INR (moves l (mem i) D E) * share n (f i n)))%R.
Proof.
  intros P parts zero M. apply sum_le. intros i Ii. pose proof (moves_le X l (mem i) D E) as L. unfold share.
  destruct n as [|n]; [replace (moves l (mem i) D E) with 0%nat by lia; rewrite zero by assumption; cbn [INR]; lra|].
  assert (N : (0 < INR (S n))%R) by (apply lt_0_INR; lia). specialize (parts i (moves l (mem i) D E) Ii ltac:(lia)).
  apply Rmult_le_reg_l with (INR (S n)); [exact N|]. eapply Rle_trans; [exact parts|]. right. field. lra.
Qed.

(* ---- a record that goes from one value to the next ---- *)
Definition swapped {X} (D : db X) (x y : X) : db X := fun c => D c + put c x (-1) + put c y 1.
Lemma swapped_finite X (D : db X) x y : finite D -> finite (swapped D x y).
Proof.
  intros (l & A). exists (x :: y :: l). intros c n. unfold swapped, put in n. destruct (dec (c = x)); [now left|].
  destruct (dec (c = y)); [right; now left|]. right. right. apply A. lia.
Qed.
Theorem path_stairs X (G : db X -> db X -> Prop) (D E : db X) (f : Z -> X) a b : (forall F H, G F H -> G H F) ->
  (forall c, E c = D c + put c (f a) (-1) + put c (f b) 1) ->
  (forall k, Z.min a b <= k < Z.max a b -> G (swapped D (f a) (f k)) (swapped D (f a) (f (k + 1)))) ->
  path G (Z.abs_nat (b - a)) D E.
Proof.
  intros sym e step. assert (up : forall n lo, Z.min a b <= lo -> lo + Z.of_nat n <= Z.max a b ->
    path G n (swapped D (f a) (f lo)) (swapped D (f a) (f (lo + Z.of_nat n)))).
  { induction n as [|n IH]; intros lo L H; [apply path0; f_equal; f_equal; lia|].
    econstructor; [apply step; lia|]. replace (lo + Z.of_nat (S n)) with (lo + 1 + Z.of_nat n) by lia. apply IH; lia. }
  assert (sD : D = swapped D (f a) (f a)).
  { apply functional_extensionality. intro c. unfold swapped, put. destruct dec; lia. }
  assert (sE : E = swapped D (f a) (f b)) by (apply functional_extensionality; intro c; apply e).
  rewrite sE. rewrite sD at 1. destruct (Z.le_ge_cases a b) as [L|L].
  - specialize (up (Z.abs_nat (b - a)) a ltac:(lia) ltac:(lia)). replace (a + Z.of_nat (Z.abs_nat (b - a))) with b in up by lia. exact up.
  - apply path_sym; [exact sym|]. specialize (up (Z.abs_nat (b - a)) b ltac:(lia) ltac:(lia)).
    replace (b + Z.of_nat (Z.abs_nat (b - a))) with a in up by lia. exact up.
Qed.

(* ---- few records in each of many slices, such as the hours of a day ---- *)
Lemma moves_alike X K (key : X -> K) (D E : db X) b l (m : X -> Prop) : (forall c, 0 <= D c) -> (forall c, 0 <= E c) -> 0 <= b ->
  limited key D b -> limited key E b -> NoDup l -> (forall y z, In y l -> In z l -> m y -> m z -> key y = key z) ->
  (moves l m D E <= Z.to_nat (2 * b))%nat /\
  ((forall c, In c l -> E c <= D c) \/ (forall c, In c l -> D c <= E c) -> (moves l m D E <= Z.to_nat b)%nat).
Proof.
  intros P Q B L M N H. rewrite moves_filter. remember (filter _ l) as s eqn:e.
  assert (S : forall c, In c s -> In c l /\ m c).
  { intros c J. subst s. apply filter_In in J. destruct J as (J & t). destruct dec; [auto | discriminate]. }
  assert (NS : NoDup s) by (subst s; now apply NoDup_filter). clear e.
  destruct s as [|a s]; [cbn; lia|].
  assert (same : forall c, In c (a :: s) -> key c = key a).
  { intros c J. destruct (S c J), (S a (or_introl eq_refl)). auto. }
  split.
  - pose proof (moves_limited X K key (key a) D E b (a :: s) P Q L M NS same). lia.
  - intros K'. assert (W : (forall c, In c (a :: s) -> E c <= D c) \/ (forall c, In c (a :: s) -> D c <= E c)).
    { destruct K' as [K'|K']; [left | right]; intros c J; apply K', S, J. }
    pose proof (moves_limited_one_way X K key (key a) D E b (a :: s) P Q L M NS same W). lia.
Qed.
Lemma slice_named X (l : list X) (m : X -> Prop) (D E : db X) n d : (forall z, In z l <-> D z <> E z) -> (moves l m D E <= n)%nat ->
  forall z, D z <> E z -> m z -> exists k, (k < n)%nat /\ z = nth k (filter (fun c => if dec (m c) then true else false) l) d.
Proof.
  intros A L z nz mz. rewrite moves_filter in L. set (s := filter _ l) in *.
  assert (J : In z s) by (apply filter_In; split; [now apply A | destruct dec; [reflexivity | contradiction]]).
  assert (F : forall c, In c s -> D c <> E c) by (intros c K; apply filter_In in K; apply A, K).
  pose proof (length_moves X s D E F). destruct (In_nth s z d J) as (k & kn & e). exists k. split; [lia | now symmetry].
Qed.
Lemma slice_one X (l : list X) (f : X -> Z) (D E : db X) (d : X) : (forall z, In z l <-> D z <> E z) ->
  (forall b, (moves l (fun c => f c = b) D E <= 1)%nat) -> exists y1 : Z -> X, forall z, D z <> E z -> z = y1 (f z).
Proof.
  intros A L. exists (fun b => nth 0 (filter (fun c => if dec (f c = b) then true else false) l) d). intros z nz.
  destruct (slice_named X l (fun c => f c = f z) D E 1 d A (L (f z)) z nz eq_refl) as (k & kn & e).
  destruct k as [|k]; [exact e | lia].
Qed.
Lemma slice_two X (l : list X) (f : X -> Z) (D E : db X) (d : X) : (forall z, In z l <-> D z <> E z) ->
  (forall b, (moves l (fun c => f c = b) D E <= 2)%nat) ->
  exists y1 y2 : Z -> X, forall z, D z <> E z -> z = y1 (f z) \/ z = y2 (f z).
Proof.
  intros A L. set (s := fun b => filter (fun c => if dec (f c = b) then true else false) l).
  exists (fun b => nth 0 (s b) d), (fun b => nth 1 (s b) d). intros z nz.
  destruct (slice_named X l (fun c => f c = f z) D E 2 d A (L (f z)) z nz eq_refl) as (k & kn & e).
  destruct k as [|[|k]]; [left; exact e | right; exact e | lia].
Qed.
