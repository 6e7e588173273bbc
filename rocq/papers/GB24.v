(* Theorems and counterexamples of GB24 ("A Framework for Differential Privacy Composition"), with
   the paper's numbers.  What the library proves for all notions is stated for all of them. *)
From Coq Require Import Reals Lra Lia List ZArith Classical FunctionalExtensionality.
From Coq Require Eqdep_dec.
From Dpcomp Require Import Measure Notions Compose Databases Rules.
Import ListNotations.
Open Scope R_scope.

(* ---- records are replaced, or added and removed ---- *)
Definition unbounded {X} (D E : db X) :=
  exists x, (forall c, E c = D c + put c x 1)%Z \/ (forall c, D c = E c + put c x 1)%Z.
Definition bounded_edit {X} (D E : db X) :=
  exists x y, (1 <= D x)%Z /\ x <> y /\ (forall c, E c = D c + put c x (-1) + put c y 1)%Z.
Definition natural {X} (D : db X) := (forall c, 0 <= D c)%Z.

(* II.4: replacing a record is removing one and adding another *)
Theorem II_4 X (D E : db X) : natural D -> bounded_edit D E -> exists F, natural F /\ unbounded D F /\ unbounded F E.
Proof.
  intros nD (x & y & one & ne & g). exists (fun c => D c - put c x 1)%Z. split; [|split].
  - intros c. specialize (nD c). unfold put. destruct dec; subst; lia.
  - exists x. right. intros c. lia.
  - exists y. left. intros c. rewrite g. unfold put. repeat destruct dec; lia.
Qed.

(* II.5 to II.7, V.2: sequential composition, adaptive; in the paper's notions *)
Theorem II_5_pure T I (O : I -> Type) (G : T -> T -> Prop) (M : forall i, outputs O -> T -> pm (O i)) l e :
  (forall i, In i l -> 0 <= e i) -> (forall i h x y, In i l -> G x y -> ind (e i) 0 (M i h x) (M i h y)) ->
  forall x y, G x y -> ind (sum l e) 0 (comp M l [] x) (comp M l [] y).
Proof. intros P H x y g. apply (adaptive pure _ _ _ M l [] x y e P). intros. cbn. auto. Qed.
Theorem VI_4_approximate T I (O : I -> Type) (G : T -> T -> Prop) (M : forall i, outputs O -> T -> pm (O i)) l e d :
  (forall i, In i l -> 0 <= d i) -> (forall i h x y, In i l -> G x y -> ind (e i) (d i) (M i h x) (M i h y)) ->
  forall x y, G x y -> ind (sum l e) (sum l d) (comp M l [] x) (comp M l [] y).
Proof. intros P H x y g. apply (adaptive_delta _ _ _ M l [] x y e d P). auto. Qed.
Theorem VI_13_zcdp T I (O : I -> Type) (G : T -> T -> Prop) (M : forall i, outputs O -> T -> pm (O i)) l rho :
  (forall i, In i l -> 0 <= rho i) -> (forall i h x y, In i l -> G x y -> rel zcdp (rho i) (M i h x) (M i h y)) ->
  forall x y, G x y -> rel zcdp (sum l rho) (comp M l [] x) (comp M l [] y).
Proof. intros P H x y g. apply (adaptive zcdp _ _ _ M l [] x y rho P). auto. Qed.

(* III.3, VI.3, VI.12: private between neighbours is private at the canonical metric *)
Theorem III_3 N T O (G : T -> T -> Prop) g (M : T -> pm O) : 0 <= g ->
  (between N G g M <-> private N (canonical G) g M).
Proof. split; [now apply everywhere | apply between_neighbours]. Qed.
Theorem VI_3 T O (G : T -> T -> Prop) e d (M : T -> pm O) : 0 <= e -> 0 <= d ->
  (forall x y, G x y -> ind e d (M x) (M y)) ->
  forall r x y, canonical G r x y -> ind (INR r * e) (growth e r * d) (M x) (M y).
Proof. apply everywhere_delta. Qed.
Theorem VI_12 T O (G : T -> T -> Prop) rho (M : T -> pm O) : 0 <= rho -> between zcdp G rho M ->
  forall r x y, canonical G r x y -> rel zcdp (INR r * INR r * rho) (M x) (M y).
Proof. intros P H r x y K. now apply (everywhere zcdp _ _ G rho M P H r). Qed.

(* III.4: databases of different sizes are not joined by replacing records; shown for two cells *)
Theorem III_4 (D E : db bool) r : canonical bounded_edit r D E -> (D true + D false = E true + E false)%Z.
Proof.
  intros (s & _ & p). induction p as [|s D F E (x & y & _ & ne & g) p IH]; [reflexivity|]. rewrite <- IH, !g.
  unfold put. destruct x, y; repeat destruct dec; try congruence; lia.
Qed.

(* III.6, III.8: preprocessing, and the sensitivity of two maps one after the other *)
Theorem III_6 N T U O (f : T -> U) c d1 d2 g (M : U -> pm O) : upward d2 ->
  sensitive f c d1 d2 -> private N d2 g M -> private N d1 (sc N c * g) (fun x => M (f x)).
Proof.
  intros up S P. apply rescale_guarantee. apply weaken_metric with (pullback d2 f).
  - now apply preprocess.
  - now apply metric_of_sensitivity.
Qed.
Theorem III_8 T U V (f : T -> U) (g : U -> V) a b d1 d2 d3 :
  sensitive f a d1 d2 -> sensitive g b d2 d3 -> sensitive (fun x => g (f x)) (b * a) d1 d3.
Proof. intros F G r x y K. rewrite <- Nat.mul_assoc. now apply G, F. Qed.

(* IV.6, V.4: parallel composition, where at most one block changes and is seen at distance 1 *)
Theorem IV_6 N T I (G : T -> T -> Prop) (O : I -> Type) (d : I -> metric T) (M : forall i, outputs O -> T -> pm (O i)) g l :
  NoDup l -> (forall i, In i l -> 0 <= g i) -> (forall i h, In i l -> private N (d i) (g i) (M i h)) ->
  (forall x y, G x y -> exists changed : I -> Prop, (forall i j, changed i -> changed j -> i = j) /\
     (forall i, changed i -> d i 1%nat x y) /\ (forall i, ~ changed i -> d i 0%nat x y)) ->
  between N G (worst 1 l g) (comp M l []).
Proof.
  intros D P H S. apply maximum_over_neighbours with (d := d) (g := g); auto.
  intros x y n. destruct (S x y n) as (changed & one & near & same).
  exists (fun i => if dec (changed i) then 1%nat else 0%nat). split.
  - intros i _. destruct (dec (changed i)); auto.
  - apply Rle_trans with (sum l (fun i => if dec (changed i) then g i else 0)).
    + apply sum_le. intros i _. destruct (dec (changed i)); [rewrite sc_1 | rewrite sc_0]; lra.
    + apply sum_worst; [assumption|]. apply cnt_le1; [assumption|].
      intros a b _ _ ne A B. apply ne, one; assumption.
Qed.

(* II.8: the parts of a partition, records added or removed *)
Theorem II_8 N X k (label : X -> Z) (O : Z -> Type) (M : forall i, outputs O -> db X -> pm (O i)) g :
  (forall i, 0 <= g i) ->
  (forall i h F F', natural F -> natural F' -> unbounded F F' -> rel N (g i) (M i h F) (M i h F')) ->
  forall D E, natural D -> natural E -> unbounded D E ->
  rel N (worst 1 (range k) g) (comp (fun i h D => M i h (keep (fun c => label c = i) D)) (range k) [] D)
    (comp (fun i h D => M i h (keep (fun c => label c = i) D)) (range k) [] E).
Proof.
  intros P H D E nD nE (x & n). set (see := fun i (D : db X) => keep (fun c => label c = i) D).
  set (G := fun F F' : db X => natural F /\ natural F' /\ unbounded F F').
  apply (profile N Z (db X) G (fun _ => db X) (fun _ => G) O see M g); auto.
  - intros i h F F' _ (a & b & c). now apply H.
  - clear D E nD nE n x. intros D E (nD & nE & (x & n)).
    assert (nat_see : forall i F, natural F -> natural (see i F)).
    { intros i F nF c. unfold see, keep. destruct dec; [apply nF | lia]. }
    exists (fun i => if dec (label x = i) then 1%nat else 0%nat). split.
    + intros i _. destruct (dec (label x = i)) as [e|ne].
      * apply path1. repeat split; try (now apply nat_see). exists x. unfold see, keep, put in *.
        destruct n as [n|n]; [left | right]; intros c; specialize (n c); repeat destruct dec; subst; lia || congruence.
      * apply path0. apply functional_extensionality. intros c. unfold see, keep, put in *.
        destruct n as [n|n]; specialize (n c); repeat destruct dec; subst; lia || congruence.
    + apply Rle_trans with (sum (range k) (fun i => if dec (label x = i) then g i else 0)).
      * apply sum_le. intros i _. destruct dec; [rewrite sc_1 | rewrite sc_0]; lra.
      * apply sum_worst; auto. apply cnt_le1; [apply range_nodup | congruence].
  - split; [assumption | split; [assumption | now exists x]].
Qed.

(* II.9: for records that are replaced no finite eps holds: counting the records of its block is
   0-DP for each part, and all parts together tell two neighbours apart.  A cell is a block and a
   name in it. *)
Definition held (i : bool) (D : db (bool * bool)) : Z := (D (i, true) + D (i, false))%Z.
Definition inside (i : bool) (D : db (bool * bool)) := forall c, fst c <> i -> D c = 0%Z.
Definition count_block (i : bool) (_ : outputs (fun _ : bool => Z)) (D : db (bool * bool)) : pm Z := dirac (held i D).
Theorem II_9_parts_are_private i h F F' : inside i F -> inside i F' -> bounded_edit F F' ->
  rel pure 0 (count_block i h F) (count_block i h F').
Proof.
  intros K K' (x & y & _ & ne & g). replace (count_block i h F') with (count_block i h F); [apply rel_refl|].
  unfold count_block, held. f_equal.
  assert (Kx : fst x = i). { apply NNPP. intro n. specialize (K x n). specialize (K' x n). specialize (g x).
    unfold put in g. destruct (dec (x = x)), (dec (x = y)); try tauto; lia. }
  assert (Ky : fst y = i). { apply NNPP. intro n. specialize (K y n). specialize (K' y n). specialize (g y).
    unfold put in g. destruct (dec (y = x)), (dec (y = y)); try tauto; try congruence; lia. }
  rewrite !g. destruct x as [a b], y as [a' b']; cbn in *; subst.
  unfold put. destruct b, b'; repeat destruct dec; try congruence; try lia.
Qed.
Theorem II_9_together_are_not e : exists D E : db (bool * bool), natural D /\ natural E /\ bounded_edit D E /\
  ~ rel pure e (comp (fun i h D => count_block i h (keep (fun c => fst c = i) D)) [true; false] [] D)
               (comp (fun i h D => count_block i h (keep (fun c => fst c = i) D)) [true; false] [] E).
Proof.
  exists (fun c => put c (true, true) 1), (fun c => put c (false, true) 1).
  split; [intros c; unfold put; destruct dec; lia|]. split; [intros c; unfold put; destruct dec; lia|]. split.
  - exists (true, true), (false, true). repeat split; [unfold put; destruct dec; [lia | tauto] | congruence |].
    intros c. unfold put. repeat destruct dec; subst; congruence || lia.
  - intros H. set (seen := fun o : outputs (fun _ : bool => Z) => exists n, In (existT _ true n) o /\ (1 <= n)%Z).
    specialize (H (event seen) (event_test _ seen)). cbn -[held keep] in H. unfold event in H.
    assert (A : held true (keep (fun c => fst c = true) (fun c => put c (true, true) 1)) = 1%Z).
    { unfold held, keep, put. cbn. repeat destruct dec; congruence || lia. }
    assert (B : held true (keep (fun c => fst c = true) (fun c => put c (false, true) 1)) = 0%Z).
    { unfold held, keep, put. cbn. repeat destruct dec; congruence || lia. }
    rewrite A, B in H. match type of H with context [if dec ?P then _ else _] => destruct (dec P) as [p|p] end.
    + match type of H with context [if dec ?P then _ else _] => destruct (dec P) as [q|q]; [|lra] end.
      destruct q as (n & [z|[z|[]]] & L); [discriminate|].
      apply (Eqdep_dec.inj_pair2_eq_dec _ Bool.bool_dec) in z. lia.
    + apply p. exists 1%Z. split; [right; now left | lia].
Qed.

(* IV.11, V.5: the common domain as a separate one *)
Theorem IV_11 N T U O (G : T -> T -> Prop) (f : T -> U) g (M : T -> pm O) : 0 <= g ->
  between N G g M -> depends_only f M -> private N (pullback (canonical (push G f)) f) g M.
Proof. apply pushforward. Qed.

(* VII.1: post-processing, in every notion, and for (eps, delta) *)
Theorem VII_1 N T O P (d : metric T) g (M : T -> pm O) (h : O -> pm P) : 0 <= g ->
  private N d g M -> private N d g (fun x => bind (M x) h).
Proof. apply postprocess. Qed.
Theorem VII_1_approximate O P e d (p q : pm O) (h : O -> pm P) : ind e d p q -> ind e d (bind p h) (bind q h).
Proof. apply ind_post. Qed.

(* VI.1: (eps, delta) of events is (eps, delta) of tests *)
Theorem VI_1 O e d (p q : pm O) : ind e d p q <-> forall S, prob p S <= exp e * prob q S + d.
Proof. apply ind_events. Qed.

(* ---- the general statements ---- *)
(* IV.1, V.2: parts behind maps, at the distances of what they read; with squares in zCDP (VI.13) *)
Theorem IV_1 N T I (U : I -> Type) (O : I -> Type) (d : forall i, metric (U i)) (f : forall i, T -> U i)
    (M : forall i, outputs O -> U i -> pm (O i)) g l : (forall i, In i l -> 0 <= g i) ->
  (forall i h, In i l -> private N (d i) (g i) (M i h)) ->
  forall x y (r : I -> nat), (forall i, In i l -> d i (r i) (f i x) (f i y)) ->
  rel N (sum l (fun i => sc N (r i) * g i)) (comp (fun i h x => M i h (f i x)) l [] x) (comp (fun i h x => M i h (f i x)) l [] y).
Proof.
  intros P H x y r R. apply adaptive.
  - intros. apply Rmult_le_pos; [apply sc_pos | auto].
  - intros i h J. now apply H, R.
Qed.
Theorem VI_13 T I (U : I -> Type) (O : I -> Type) (d : forall i, metric (U i)) (f : forall i, T -> U i)
    (M : forall i, outputs O -> U i -> pm (O i)) rho l : (forall i, In i l -> 0 <= rho i) ->
  (forall i h, In i l -> private zcdp (d i) (rho i) (M i h)) ->
  forall x y (r : I -> nat), (forall i, In i l -> d i (r i) (f i x) (f i y)) ->
  rel zcdp (sum l (fun i => INR (r i) * INR (r i) * rho i)) (comp (fun i h x => M i h (f i x)) l [] x) (comp (fun i h x => M i h (f i x)) l [] y).
Proof. apply (IV_1 zcdp). Qed.
(* IV.3, V.3: one metric, or one granularity; and each part with a metric of its own *)
Theorem IV_3 N T I (O : I -> Type) (d : metric T) (M : forall i, outputs O -> T -> pm (O i)) g l :
  (forall i, In i l -> 0 <= g i) -> (forall i h, In i l -> private N d (g i) (M i h)) -> private N d (sum l g) (comp M l []).
Proof.
  intros P H r x y K. rewrite <- sum_mult. apply adaptive.
  - intros. apply Rmult_le_pos; [apply sc_pos | auto].
  - intros i h J. now apply H.
Qed.
Theorem IV_3_neighbours N T I (O : I -> Type) (G : T -> T -> Prop) (M : forall i, outputs O -> T -> pm (O i)) g l :
  (forall i, In i l -> 0 <= g i) -> (forall i h, In i l -> between N G (g i) (M i h)) -> between N G (sum l g) (comp M l []).
Proof. intros P H x y n. apply adaptive; auto. intros i h J. now apply H. Qed.
Theorem IV_3_own_metrics N T I (O : I -> Type) (d : I -> metric T) (M : forall i, outputs O -> T -> pm (O i)) g l :
  (forall i, In i l -> 0 <= g i) -> (forall i h, In i l -> private N (d i) (g i) (M i h)) ->
  forall x y (r : I -> nat), (forall i, In i l -> d i (r i) x y) -> rel N (sum l (fun i => sc N (r i) * g i)) (comp M l [] x) (comp M l [] y).
Proof. intros P H. apply (IV_1 N T I (fun _ => T) O d (fun _ x => x) M g l P H). Qed.
Theorem VI_5 T I (O : I -> Type) (G : T -> T -> Prop) (M : forall i, outputs O -> T -> pm (O i)) e d l :
  (forall i, In i l -> 0 <= d i) -> (forall i h x y, In i l -> G x y -> ind (e i) (d i) (M i h x) (M i h y)) ->
  forall x y, G x y -> ind (sum l e) (sum l d) (comp M l [] x) (comp M l [] y).
Proof. intros P H x y n. apply adaptive_delta; auto. Qed.
Theorem VI_15 T I (O : I -> Type) (G : T -> T -> Prop) (M : forall i, outputs O -> T -> pm (O i)) rho l :
  (forall i, In i l -> 0 <= rho i) -> (forall i h, In i l -> between zcdp G (rho i) (M i h)) -> between zcdp G (sum l rho) (comp M l []).
Proof. apply (IV_3_neighbours zcdp). Qed.
(* VI.4, at each pair of databases by itself, behind maps: the distances and deltas are any functions *)
Theorem VI_4 T I (U : I -> Type) (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> U i -> pm (O i))
    (e d : forall i, U i -> U i -> R) l : (forall i u v, In i l -> 0 <= d i u v) ->
  (forall i h u v, In i l -> ind (e i u v) (d i u v) (M i h u) (M i h v)) -> forall x y,
  ind (sum l (fun i => e i (f i x) (f i y))) (sum l (fun i => d i (f i x) (f i y)))
    (comp (fun i h x => M i h (f i x)) l [] x) (comp (fun i h x => M i h (f i x)) l [] y).
Proof.
  intros P H x y. apply (adaptive_delta _ _ _ (fun i h x => M i h (f i x)) l [] x y
    (fun i => e i (f i x) (f i y)) (fun i => d i (f i x) (f i y))); auto.
Qed.
(* III.3, VI.3, VI.12: the other direction, too *)
Theorem VI_3_iff T O (G : T -> T -> Prop) e d (M : T -> pm O) : 0 <= e -> 0 <= d ->
  ((forall x y, G x y -> ind e d (M x) (M y)) <->
   (forall r x y, canonical G r x y -> ind (INR r * e) (growth e r * d) (M x) (M y))).
Proof.
  intros P Q. split; [now apply VI_3|]. intros H x y n.
  assert (K : canonical G 1%nat x y) by (exists 1%nat; split; [auto | now apply path1]).
  specialize (H _ _ _ K). cbn in H. replace (1 * e) with e in H by ring.
  now replace ((1 + exp e * 0) * d) with d in H by ring.
Qed.
Theorem VI_12_iff T O (G : T -> T -> Prop) rho (M : T -> pm O) : 0 <= rho ->
  (between zcdp G rho M <-> private zcdp (canonical G) rho M).
Proof. apply (III_3 zcdp). Qed.

(* ---- metrics ---- *)
(* A.1: the canonical metric of a symmetric relation *)
Theorem A_1 T (G : T -> T -> Prop) : (forall x y, G x y -> G y x) ->
  (forall x y, canonical G 0%nat x y <-> x = y) /\
  (forall r x y, canonical G r x y -> canonical G r y x) /\
  (forall r s x y z, canonical G r x y -> canonical G s y z -> canonical G (r + s)%nat x z).
Proof.
  intros S. split; [|split].
  - intros x y. split; [intros (s & L & p); destruct p; [reflexivity | lia] | intros ->; exists 0%nat; split; [auto | constructor]].
  - intros r x y (s & L & p). exists s. split; auto. now apply path_sym.
  - intros r s x y z (a & La & p) (b & Lb & q). exists (a + b)%nat. split; [lia | now apply path_app with y].
Qed.
(* A.3: neighbours of one granularity are at most c steps apart in another *)
Theorem A_3_metrics T (G H : T -> T -> Prop) c : (forall x y, H x y -> canonical G c x y) ->
  forall r x y, canonical H r x y -> canonical G (c * r)%nat x y.
Proof.
  intros K r x y (s & L & p). cut (canonical G (c * s)%nat x y); [intros (a & A & q); exists a; split; [nia | exact q]|]. clear L r.
  induction p as [x|s x y z h p IH]; [exists 0%nat; split; [lia | constructor]|].
  destruct (K x y h) as (a & A & q), IH as (b & B & q'). exists (a + b)%nat. split; [nia | now apply path_app with y].
Qed.
Theorem A_3 N T O (G H : T -> T -> Prop) c g (M : T -> pm O) : 0 <= g -> (forall x y, H x y -> canonical G c x y) ->
  between N G g M -> between N H (sc N c * g) M.
Proof. intros P K B x y h. apply (everywhere N _ _ G g M P B), K, h. Qed.
Theorem A_3_bounded X O g (M : db X -> pm O) : 0 <= g ->
  between pure (fun D E => natural D /\ natural E /\ unbounded D E) g M ->
  between pure (fun D E => natural D /\ natural E /\ bounded_edit D E) (2 * g) M.
Proof.
  intros P B. apply (A_3 pure _ _ (fun D E => natural D /\ natural E /\ unbounded D E) _ 2 g M P); [|exact B].
  intros D E (nD & nE & n). destruct (II_4 X D E nD n) as (F & nF & a & b). exists 2%nat. split; [auto|].
  now apply path2 with F.
Qed.
(* III-A: smaller metrics ask for more, and so do larger classes *)
Theorem III_A N T O (d1 d2 : metric T) g (M : T -> pm O) : leq d1 d2 -> private N d1 g M -> private N d2 g M.
Proof. intros L H. now apply weaken_metric with d1. Qed.
Theorem A_2_class N T O (G : T -> T -> Prop) (C : T -> Prop) g (M : T -> pm O) : private N (canonical G) g M ->
  private N (canonical (fun x y => C x /\ C y /\ G x y)) g M.
Proof.
  intros H r x y (s & L & p). apply H. exists s. split; [exact L|]. clear L.
  induction p as [|s x y z (_ & _ & n) p IH]; [constructor | now apply PS with y].
Qed.
(* A.2: among databases of one record nothing is joined by adding and removing *)
Theorem A_2 : let a := fun c : bool => put c true 1 in let b := fun c : bool => put c false 1 in
  canonical (fun D E => natural D /\ natural E /\ unbounded D E) 2%nat a b /\
  ~ canonical (fun D E => natural D /\ natural E /\ unbounded D E) 1%nat a b /\
  (forall r, ~ canonical (fun D E : db bool => (D true + D false = 1)%Z /\ (E true + E false = 1)%Z /\ unbounded D E) r a b).
Proof.
  intros a b. split.
  - exists 2%nat. split; [auto|]. apply path2 with (fun _ => 0%Z); repeat split;
      try (intros c; unfold a, b, put; repeat destruct dec; lia).
    + exists true. right. intros c. reflexivity.
    + exists false. left. intros c. reflexivity.
  - split.
  { intros (s & L & p). assert (ne : a true <> b true) by (unfold a, b, put; repeat destruct dec; congruence || lia).
    remember a as D eqn:eD. remember b as E eqn:eE. destruct p as [D|s D E F (_ & _ & (x & n)) p]; [congruence|].
    assert (s = 0%nat) by lia. subst s. inversion p; subst. destruct x, n as [n|n]; pose proof (n true) as t; pose proof (n false) as f;
      unfold a, b, put in t, f; repeat destruct dec; try congruence; lia. }
  intros r (s & _ & p). remember a as D eqn:eD. remember b as E eqn:eE. destruct p as [D|s D E F (A & B & (x & n)) p].
    + rewrite eD in eE. apply (f_equal (fun h => h true)) in eE. unfold a, b, put in eE. repeat destruct dec; congruence || lia.
    + destruct x, n as [n|n]; pose proof (n true) as t; pose proof (n false) as f; unfold put in t, f;
        repeat destruct dec; try congruence; lia.
Qed.

(* ---- the common domain: each part is private on the whole class and depends on its image only ---- *)
Lemma changed_common N T I (G : T -> T -> Prop) (U : I -> Type) (O : I -> Type) (f : forall i, T -> U i)
    (M : forall i, outputs O -> T -> pm (O i)) g l n : (forall i, In i l -> 0 <= g i) ->
  (forall i h, In i l -> between N G (g i) (M i h)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  forall x y, G x y -> (cnt l (fun i => f i x <> f i y) <= n)%nat -> rel N (worst n l g) (comp M l [] x) (comp M l [] y).
Proof.
  intros P H dep x y s C. eapply rel_up; [apply (sum_worst _ l (fun i => f i x <> f i y) g n P C)|].
  apply adaptive.
  - intros i J. specialize (P i J). destruct dec; lra.
  - intros i h J. destruct (dec (f i x <> f i y)) as [ne|e]; [now apply H|].
    rewrite (dep i h J x y) by now apply NNPP. apply rel_refl.
Qed.
Lemma changed_common_delta T I (G : T -> T -> Prop) (U : I -> Type) (O : I -> Type) (f : forall i, T -> U i)
    (M : forall i, outputs O -> T -> pm (O i)) e d l n : (forall i, In i l -> 0 <= e i) -> (forall i, In i l -> 0 <= d i) ->
  (forall i h x y, In i l -> G x y -> ind (e i) (d i) (M i h x) (M i h y)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  forall x y, G x y -> (cnt l (fun i => f i x <> f i y) <= n)%nat -> ind (worst n l e) (worst n l d) (comp M l [] x) (comp M l [] y).
Proof.
  intros P Q H dep x y s C.
  eapply ind_weaken; [apply (sum_worst _ l (fun i => f i x <> f i y) e n P C) | apply (sum_worst _ l (fun i => f i x <> f i y) d n Q C) |].
  apply adaptive_delta.
  - intros i J. specialize (Q i J). destruct dec; lra.
  - intros i h J. destruct (dec (f i x <> f i y)) as [ne|ne]; [now apply H|].
    rewrite (dep i h J x y) by now apply NNPP. apply ind_refl.
Qed.
(* IV.12, V.6, A.13, A.15: at most one block changes (C1) *)
Definition one_changes {T I} {U : I -> Type} (G : T -> T -> Prop) (f : forall i, T -> U i) :=
  forall x y, G x y -> forall i j, f i x <> f i y -> f j x <> f j y -> i = j.
Lemma one_counted T I (U : I -> Type) (G : T -> T -> Prop) (f : forall i, T -> U i) l : NoDup l -> one_changes G f ->
  forall x y, G x y -> (cnt l (fun i => f i x <> f i y) <= 1)%nat.
Proof. intros D C x y n. apply cnt_le1; [exact D|]. intros a b _ _ ne A B. apply ne. now apply (C x y n). Qed.
Theorem IV_12 N T I (G : T -> T -> Prop) (U : I -> Type) (O : I -> Type) (f : forall i, T -> U i)
    (M : forall i, outputs O -> T -> pm (O i)) g l : NoDup l -> one_changes G f -> (forall i, In i l -> 0 <= g i) ->
  (forall i h, In i l -> between N G (g i) (M i h)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  between N G (worst 1 l g) (comp M l []).
Proof. intros D C P H dep x y n. apply changed_common with (G := G) (U := U) (f := f); auto. now apply (one_counted T I U G). Qed.
Theorem A_13 T I (G : T -> T -> Prop) (U : I -> Type) (O : I -> Type) (f : forall i, T -> U i)
    (M : forall i, outputs O -> T -> pm (O i)) e d l : NoDup l -> one_changes G f ->
  (forall i, In i l -> 0 <= e i) -> (forall i, In i l -> 0 <= d i) ->
  (forall i h x y, In i l -> G x y -> ind (e i) (d i) (M i h x) (M i h y)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  forall x y, G x y -> ind (worst 1 l e) (worst 1 l d) (comp M l [] x) (comp M l [] y).
Proof.
  intros D C P Q H dep x y n. apply changed_common_delta with (G := G) (U := U) (f := f); auto.
  now apply (one_counted T I U G).
Qed.
Theorem A_15 T I (G : T -> T -> Prop) (U : I -> Type) (O : I -> Type) (f : forall i, T -> U i)
    (M : forall i, outputs O -> T -> pm (O i)) rho l : NoDup l -> one_changes G f -> (forall i, In i l -> 0 <= rho i) ->
  (forall i h, In i l -> between zcdp G (rho i) (M i h)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  between zcdp G (worst 1 l rho) (comp M l []).
Proof. apply (IV_12 zcdp). Qed.
(* VI.6, VI.16: C1 and C2 on separate domains *)
Theorem VI_6 T I (G : T -> T -> Prop) (U : I -> Type) (Gi : forall i, U i -> U i -> Prop) (O : I -> Type) (f : forall i, T -> U i)
    (M : forall i, outputs O -> U i -> pm (O i)) e d l : NoDup l -> one_changes G f ->
  (forall x y, G x y -> forall i, f i x <> f i y -> Gi i (f i x) (f i y)) ->
  (forall i, In i l -> 0 <= e i) -> (forall i, In i l -> 0 <= d i) ->
  (forall i h u v, In i l -> Gi i u v -> ind (e i) (d i) (M i h u) (M i h v)) ->
  forall x y, G x y -> ind (worst 1 l e) (worst 1 l d)
    (comp (fun i h x => M i h (f i x)) l [] x) (comp (fun i h x => M i h (f i x)) l [] y).
Proof.
  intros D C S P Q H x y n.
  apply (A_13 T I (fun a b => G a b /\ a = x /\ b = y) U O f (fun i h x => M i h (f i x)) e d l D); auto.
  - intros a b (K & _). now apply C.
  - intros i h a b J (K & -> & ->). destruct (dec (f i x = f i y)) as [E|ne].
    + rewrite E. apply ind_weaken with 0 0; auto. apply ind_refl.
    + apply H; auto.
  - intros i h _ a b E. now rewrite E.
Qed.
Theorem VI_16 T I (G : T -> T -> Prop) (O : I -> Type) (d : I -> metric T) (M : forall i, outputs O -> T -> pm (O i)) rho l :
  NoDup l -> (forall i, In i l -> 0 <= rho i) -> (forall i h, In i l -> private zcdp (d i) (rho i) (M i h)) ->
  (forall x y, G x y -> exists changed : I -> Prop, (forall i j, changed i -> changed j -> i = j) /\
     (forall i, changed i -> d i 1%nat x y) /\ (forall i, ~ changed i -> d i 0%nat x y)) ->
  between zcdp G (worst 1 l rho) (comp M l []).
Proof. apply (IV_6 zcdp). Qed.

(* ---- bounded neighbours on the common domain ---- *)
Lemma bounded_changes X (mem : Z -> X -> Prop) (D E : db X) x y :
  (forall c, E c = D c + put c x (-1) + put c y 1)%Z ->
  forall i, keep (mem i) D <> keep (mem i) E -> mem i x \/ mem i y.
Proof.
  intros g i ne. apply keep_diff in ne. destruct ne as (c & m & ne). specialize (g c). unfold put in g.
  destruct (dec (c = x)) as [->|nx]; [now left|]. destruct (dec (c = y)) as [->|ny]; [now right|]. lia.
Qed.
(* IV.13: the two largest, for every k *)
Theorem IV_13 N X k (label : X -> Z) (O : Z -> Type) (M : forall i, outputs O -> db X -> pm (O i)) g :
  (forall i, 0 <= g i) -> (forall i h, between N bounded_edit (g i) (M i h)) ->
  (forall i h, depends_only (keep (fun c => label c = i)) (M i h)) ->
  between N bounded_edit (worst 2 (range k) g) (comp M (range k) []).
Proof.
  intros P H dep D E n. apply changed_common with (G := bounded_edit) (U := fun _ => db X) (f := fun i => keep (fun c => label c = i)); auto.
  destruct n as (x & y & _ & _ & n). apply cnt_le2; [apply range_nodup|]. intros a b c _ _ _ ab ac bc A B C.
  apply (bounded_changes X (fun i c => label c = i) D E x y n) in A, B, C. destruct A, B, C; congruence.
Qed.
(* IV.14: what two given neighbours lose, and that two of three positive numbers are less than all *)
Theorem IV_14 N X k (label : X -> Z) (O : Z -> Type) (M : forall i, outputs O -> db X -> pm (O i)) g :
  (forall i, 0 <= g i) -> (forall i h, between N bounded_edit (g i) (M i h)) ->
  (forall i h, depends_only (keep (fun c => label c = i)) (M i h)) ->
  forall D E x y, (1 <= D x)%Z -> x <> y -> (forall c, E c = D c + put c x (-1) + put c y 1)%Z ->
  rel N (if dec (label x = label y) then g (label x) else g (label x) + g (label y)) (comp M (range k) [] D) (comp M (range k) [] E).
Proof.
  intros P H dep D E x y one ne n. set (f := fun (i : Z) (D : db X) => keep (fun c => label c = i) D).
  apply rel_up with (sum (range k) (fun i => if dec (f i D <> f i E) then g i else 0)).
  - assert (C : forall i, In i (range k) -> f i D <> f i E -> i = label x \/ i = label y).
    { intros i _ d. destruct (bounded_changes X (fun i c => label c = i) D E x y n i d); auto. }
    destruct (dec (label x = label y)) as [e|d].
    + eapply Rle_trans; [apply (sum_listed _ _ [label x]); auto using range_nodup|cbn; lra].
      intros i J d. destruct (C i J d); subst; cbn; auto.
    + eapply Rle_trans; [apply (sum_listed _ _ [label x; label y]); auto using range_nodup|cbn; lra].
      intros i J e. destruct (C i J e); subst; cbn; auto.
  - apply adaptive; [intros i _; destruct dec; auto; lra|]. intros i h _. destruct dec as [d|d].
    + apply H. now exists x, y.
    + rewrite (dep i h D E) by now apply NNPP. apply rel_refl.
Qed.
Lemma worst_le_sum n I (l : list I) f : (forall i, In i l -> 0 < f i) -> worst n l f <= sum l f.
Proof.
  revert n. induction l as [|i l IH]; intros n P; [destruct n; cbn; lra|].
  assert (Q : forall j, In j l -> 0 < f j) by (intros; apply P; now right). pose proof (P i (or_introl eq_refl)).
  destruct n as [|n]; cbn [worst sum]; [pose proof (IH 0%nat Q); rewrite worst_zero in H0; lra|].
  pose proof (IH n Q). pose proof (IH (S n) Q). apply Rmax_lub; lra.
Qed.
Theorem IV_14_less I (l : list I) f n : (n < length l)%nat -> (forall i, In i l -> 0 < f i) -> worst n l f < sum l f.
Proof.
  revert n. induction l as [|i l IH]; intros n L P; cbn [length] in L; [lia|].
  assert (Q : forall j, In j l -> 0 < f j) by (intros; apply P; now right). pose proof (P i (or_introl eq_refl)).
  destruct n as [|n]; cbn [worst sum].
  - pose proof (worst_le_sum 0 I l f Q) as A. rewrite worst_zero in A. lra.
  - pose proof (IH n ltac:(lia) Q). pose proof (worst_le_sum (S n) I l f Q). apply Rmax_lub_lt; lra.
Qed.
(* IV.5: at most three blocks hold a record, records added or removed; VI.8: records replaced *)
Theorem IV_5 X k (mem : Z -> X -> Prop) (O : Z -> Type) (M : forall i, outputs O -> db X -> pm (O i)) :
  (forall c, cnt (range k) (fun i => mem i c) <= 3)%nat ->
  (forall i h F F', natural F -> natural F' -> unbounded F F' -> rel pure 1 (M i h F) (M i h F')) ->
  forall D E, natural D -> natural E -> unbounded D E ->
  rel pure 3 (comp (fun i h D => M i h (keep (mem i) D)) (range k) [] D) (comp (fun i h D => M i h (keep (mem i) D)) (range k) [] E).
Proof.
  intros few H D E nD nE (x & n). apply rel_up with (sum (range k) (fun i => if dec (mem i x) then 1 else 0)).
  - eapply Rle_trans; [apply (sum_worst _ _ _ _ 3); [intros; lra | apply few]|].
    eapply Rle_trans; [apply (worst_times 3 _ _ _ 1); intros; lra | cbn; lra].
  - apply adaptive; [intros i _; destruct dec; lra|]. intros i h _.
    assert (N : forall F, natural F -> natural (keep (mem i) F)).
    { intros F nF c. unfold keep. destruct dec; [apply nF | lia]. }
    destruct (dec (mem i x)) as [m|m].
    + apply H; auto. exists x. unfold keep, put in *. destruct n as [n|n]; [left | right]; intros c; specialize (n c);
        destruct (dec (mem i c)), (dec (c = x)); subst; tauto || lia.
    + replace (keep (mem i) E) with (keep (mem i) D); [apply rel_refl|]. apply functional_extensionality. intros c.
      unfold keep, put in *. destruct n as [n|n]; specialize (n c); destruct (dec (mem i c)), (dec (c = x)); subst; tauto || lia.
Qed.
Theorem VI_8 X k (mem : Z -> X -> Prop) (O : Z -> Type) (M : forall i, outputs O -> db X -> pm (O i)) :
  (forall c, cnt (range k) (fun i => mem i c) <= 3)%nat ->
  (forall i h D E, bounded_edit D E -> ind 1 (/ 100000) (M i h D) (M i h E)) -> (forall i h, depends_only (keep (mem i)) (M i h)) ->
  forall D E, bounded_edit D E -> ind 6 (6 / 100000) (comp M (range k) [] D) (comp M (range k) [] E).
Proof.
  intros few H dep D E n.
  apply ind_weaken with (worst 6 (range k) (fun _ => 1)) (worst 6 (range k) (fun _ => / 100000)).
  - eapply Rle_trans; [apply (worst_times 6 _ _ _ 1); intros; lra | cbn; lra].
  - eapply Rle_trans; [apply (worst_times 6 _ _ _ (/ 100000)); intros; lra | cbn; lra].
  - apply changed_common_delta with (G := bounded_edit) (U := fun _ => db X) (f := fun i => keep (mem i)); auto; try (intros; lra).
    destruct n as (x & y & _ & _ & n). change 6%nat with (3 + 3)%nat.
    apply (cnt_pts2 _ _ _ (fun i => mem i x) (fun i => mem i y)); auto. now apply bounded_changes.
Qed.
(* A.5: two blocks that are not empty are enough for two of them to change *)
Theorem A_5 X (label : X -> Z) x y : label x <> label y -> exists D E : db X, natural D /\ natural E /\ bounded_edit D E /\
  keep (fun c => label c = label x) D <> keep (fun c => label c = label x) E /\
  keep (fun c => label c = label y) D <> keep (fun c => label c = label y) E.
Proof.
  intros ne. assert (d : x <> y) by congruence. exists (fun c => put c x 1), (fun c => put c y 1).
  split; [intros c; unfold put; destruct dec; lia|]. split; [intros c; unfold put; destruct dec; lia|]. split; [|split].
  - exists x, y. repeat split; [unfold put; destruct dec; [lia | tauto] | assumption |].
    intros c. unfold put. repeat destruct dec; subst; congruence || lia.
  - intros K. apply (f_equal (fun h => h x)) in K. unfold keep, put in K. repeat destruct dec; congruence || lia.
  - intros K. apply (f_equal (fun h => h y)) in K. unfold keep, put in K. repeat destruct dec; congruence || lia.
Qed.
Theorem A_5_compatible X (label : X -> Z) x y : label x <> label y ->
  ~ one_changes (fun D E : db X => natural D /\ natural E /\ bounded_edit D E) (fun i => keep (fun c => label c = i)).
Proof.
  intros ne C. destruct (A_5 X label x y ne) as (D & E & nD & nE & n & a & b).
  apply ne. now apply (C D E (conj nD (conj nE n))).
Qed.

(* ---- quotients: what depends on an image only is private at the pushforward ---- *)
(* IV.10, A.7, A.14 *)
Theorem IV_10 T U O (d : R -> T -> T -> Prop) (f : T -> U) (M : T -> pm O) :
  (forall r x y, d r x y -> rel pure r (M x) (M y)) -> depends_only f M ->
  forall t x y, quotient d f t x y -> rel pure t (M x) (M y).
Proof. apply pushforward_metric. Qed.
Theorem A_14 T U O (d : R -> T -> T -> Prop) (f : T -> U) (M : T -> pm O) :
  (forall r x y, d r x y -> 0 <= r /\ rel zcdp (r * r) (M x) (M y)) -> depends_only f M ->
  forall t x y, 0 <= t -> quotient d f t x y -> rel zcdp (t * t) (M x) (M y).
Proof. apply pushforward_metric_zcdp. Qed.
(* the published distance of two fibres is that of a chain of one pair: the quotient is at most as large *)
Theorem IV_10_fibres T U (d : R -> T -> T -> Prop) (f : T -> U) t x y :
  (forall e, 0 < e -> exists r x' y', r <= t + e /\ f x = f x' /\ d r x' y' /\ f y' = f y) -> quotient d f t x y.
Proof.
  intros H e P. destruct (H e P) as (r & x' & y' & L & A & D & B). exists (r + 0). split; [lra|].
  apply LS with x' y'; [assumption | assumption | now apply L0].
Qed.
(* ... and for a granularity the canonical metric of the pushforward *)
Theorem A_14_neighbours T U O (G : T -> T -> Prop) (f : T -> U) rho (M : T -> pm O) : 0 <= rho ->
  between zcdp G rho M -> depends_only f M -> private zcdp (pullback (canonical (push G f)) f) rho M.
Proof. apply (pushforward zcdp). Qed.
(* A.12: in (eps, delta), for a granularity *)
Theorem A_12 T U O (G : T -> T -> Prop) (f : T -> U) e d (M : T -> pm O) : 0 <= e -> 0 <= d ->
  (forall x y, G x y -> ind e d (M x) (M y)) -> depends_only f M ->
  forall r x y, canonical (push G f) r (f x) (f y) -> ind (INR r * e) (growth e r * d) (M x) (M y).
Proof.
  intros P Q H dep r x y (s & L & p). apply ind_weaken with (INR s * e) (growth e s * d).
  { apply Rmult_le_compat_r; [assumption | now apply le_INR]. }
  { apply Rmult_le_compat_r; [assumption | apply growth_mono; [right; reflexivity | assumption]]. }
  clear L r. remember (f x) as u eqn:Eu. remember (f y) as v eqn:Ev. revert x Eu.
  induction p as [u|s u w v (a & b & A & B & n) p IH]; intros x Eu.
  - rewrite (dep x y) by congruence. cbn. rewrite !Rmult_0_l. apply ind_refl.
  - rewrite (dep x a) by congruence. specialize (IH Ev b (eq_sym B)). specialize (H a b n). rewrite S_INR.
    replace ((INR s + 1) * e) with (e + INR s * e) by ring. cbn [growth].
    replace ((1 + exp e * growth e s) * d) with (d + exp e * (growth e s * d)) by ring.
    eapply ind_trans; eauto.
Qed.
(* ... and for a metric with distances that are real numbers, of which the deltas grow as for a granularity *)
Definition growth_at (e r : R) : R := if dec (e = 0) then r else (exp (e * r) - 1) / (exp e - 1).
Theorem A_12_metric T U O (d : R -> T -> T -> Prop) (f : T -> U) e c (M : T -> pm O) : 0 <= e -> 0 <= c ->
  (forall r x y, d r x y -> ind (e * r) (growth_at e r * c) (M x) (M y)) -> depends_only f M ->
  forall t x y, quotient d f t x y -> ind (e * t) (growth_at e t * c) (M x) (M y).
Proof.
  intros P C H dep t x y Q.
  assert (steps : forall r s, growth_at e r * c + exp (e * r) * (growth_at e s * c) = growth_at e (r + s) * c).
  { intros r s. unfold growth_at. destruct (dec (e = 0)) as [->|n]; [rewrite Rmult_0_l, exp_0; ring|].
    assert (exp e - 1 <> 0).
    { intro z. apply n. destruct P as [P|P]; [|now symmetry]. pose proof (exp_increasing 0 e P). rewrite exp_0 in *. lra. }
    rewrite Rmult_plus_distr_l, exp_plus. field. assumption. }
  assert (chain : forall s a b, linked d f s a b -> ind (e * s) (growth_at e s * c) (M a) (M b)).
  { intros s a b L. induction L as [a b n|r s a u v b n D L IH].
    - rewrite (dep a b n). apply ind_weaken with 0 0; [lra | | apply ind_refl].
      right. unfold growth_at. destruct dec; [|rewrite Rmult_0_r, exp_0; unfold Rdiv]; ring.
    - rewrite (dep a u n), <- steps, Rmult_plus_distr_l. apply ind_trans with (M v); [now apply H | assumption]. }
  intros g G. pose proof (E_test _ (M y) g G) as V. set (v := E (M y) g) in *. destruct P as [P|<-].
  - assert (X : 0 < exp e - 1) by (pose proof (exp_increasing 0 e P); rewrite exp_0 in *; lra).
    set (b := c / (exp e - 1)). assert (B : 0 <= b) by (apply Rmult_le_pos; [assumption | left; now apply Rinv_0_lt_compat]).
    assert (whole : forall s, exp (e * s) * v + growth_at e s * c = exp (e * s) * (v + b) - b).
    { intro s. unfold growth_at, b. destruct dec; [lra|]. field. lra. }
    rewrite whole. cut (E (M x) g + b <= exp ((fun z => e * (t + z)) 0) * (v + b)); [cbn; rewrite Rplus_0_r; lra|].
    apply exp_limit; [|lra|].
    + intros n N. exists (n / e). split; [now apply Rdiv_lt_0_compat|]. right. field. lra.
    + intros n N. destruct (Q n N) as (s & L & K). specialize (chain s x y K g G). fold v in chain. rewrite whole in chain.
      assert (exp (e * s) <= exp (e * (t + n))) by (apply exp_le; nra). nra.
  - rewrite Rmult_0_l, exp_0. apply le_epsilon. intros n N.
    assert (Z : forall s, growth_at 0 s = s) by (intro s; unfold growth_at; destruct dec; lra).
    assert (some : 0 < n / (c + 1)) by (apply Rdiv_lt_0_compat; lra). assert (W : n / (c + 1) * (c + 1) = n) by (field; lra).
    destruct (Q _ some) as (s & L & K). specialize (chain s x y K g G). fold v in chain.
    rewrite Rmult_0_l, exp_0, Z in chain. rewrite Z. nra.
Qed.
(* IV.11, V.5, VI.14, VI.7: many parts at the pushforwards along their maps *)
Theorem IV_11_parts N T I (U : I -> Type) (O : I -> Type) (G : T -> T -> Prop) (f : forall i, T -> U i)
    (M : forall i, outputs O -> T -> pm (O i)) g l : (forall i, In i l -> 0 <= g i) ->
  (forall i h, In i l -> between N G (g i) (M i h)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  forall x y (r : I -> nat), (forall i, In i l -> canonical (push G (f i)) (r i) (f i x) (f i y)) ->
  rel N (sum l (fun i => sc N (r i) * g i)) (comp M l [] x) (comp M l [] y).
Proof.
  intros P H dep x y r R. apply adaptive.
  - intros. apply Rmult_le_pos; [apply sc_pos | auto].
  - intros i h J. apply (IV_11 N T (U i) (O i) G (f i) (g i) (M i h)); auto. now apply R.
Qed.
Theorem VI_14 T I (U : I -> Type) (O : I -> Type) (G : T -> T -> Prop) (f : forall i, T -> U i)
    (M : forall i, outputs O -> T -> pm (O i)) rho l : (forall i, In i l -> 0 <= rho i) ->
  (forall i h, In i l -> between zcdp G (rho i) (M i h)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  forall x y (r : I -> nat), (forall i, In i l -> canonical (push G (f i)) (r i) (f i x) (f i y)) ->
  rel zcdp (sum l (fun i => INR (r i) * INR (r i) * rho i)) (comp M l [] x) (comp M l [] y).
Proof. apply (IV_11_parts zcdp). Qed.
Theorem VI_7 T I (U : I -> Type) (O : I -> Type) (G : T -> T -> Prop) (f : forall i, T -> U i)
    (M : forall i, outputs O -> T -> pm (O i)) e d l : (forall i, In i l -> 0 <= e i) -> (forall i, In i l -> 0 <= d i) ->
  (forall i h x y, In i l -> G x y -> ind (e i) (d i) (M i h x) (M i h y)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  forall x y (r : I -> nat), (forall i, In i l -> canonical (push G (f i)) (r i) (f i x) (f i y)) ->
  ind (sum l (fun i => INR (r i) * e i)) (sum l (fun i => growth (e i) (r i) * d i)) (comp M l [] x) (comp M l [] y).
Proof.
  intros P Q H dep x y r R. apply adaptive_delta.
  - intros. apply Rmult_le_pos; [apply growth_pos | auto].
  - intros i h J. apply (A_12 T (U i) (O i) G (f i)); auto.
Qed.

(* ---- single outputs ---- *)
(* VII.3: any choice of the outputs of a composition is private, so is the i-th *)
Theorem VII_3_kept N T I (O : I -> Type) P (G : T -> T -> Prop) g (M : forall i, outputs O -> T -> pm (O i)) l
    (keep_some : outputs O -> P) : 0 <= g ->
  between N G g (comp M l []) -> between N G g (fun x => bind (comp M l [] x) (fun o => dirac (keep_some o))).
Proof.
  intros p H x y n. replace g with (g + 0) by ring. apply rel_bind; [assumption | lra | now apply H |].
  intros o. apply rel_refl.
Qed.
(* VII.3 is false of the inner mechanism: it may be anything at an output that never comes *)
Theorem VII_3_inner : let M1 := fun _ : bool => dirac true in let M2 := fun s x : bool => dirac (orb s x) in
  (forall x y, rel pure 0 (bind (M1 x) (fun s => M2 s x)) (bind (M1 y) (fun s => M2 s y))) /\
  (forall e, exists s x y, ~ rel pure e (M2 s x) (M2 s y)).
Proof.
  split.
  - intros x y. apply pure_events. intros S. rewrite exp_0, Rmult_1_l. right. reflexivity.
  - intros e. exists false, true, false. intros H. apply pure_events with (S := fun o => o = true) in H.
    unfold prob, event in H. cbn in H. repeat destruct dec; try congruence. lra.
Qed.
(* VII.2: the mechanisms of an independent composition *)
Theorem VII_2 T O P e d (M1 : T -> pm O) (M2 : T -> pm P) x y :
  let both := fun x => bind (M1 x) (fun a => bind (M2 x) (fun b => dirac (a, b))) in
  ind e d (both x) (both y) -> ind e d (M1 x) (M1 y) /\ ind e d (M2 x) (M2 y).
Proof.
  intros both H. split; intros g t.
  - specialize (H (fun o => g (fst o)) (fun o => t (fst o))). cbn in H.
    assert (K : forall z, E (M1 z) (fun a => E (M2 z) (fun _ => g a)) = E (M1 z) g).
    { intros z. apply E_ext; [|now apply bounded_test|intros; apply E_const].
      apply bounded_between with 0 1. intros o. rewrite E_const. apply t. }
    now rewrite !K in H.
  - specialize (H (fun o => g (snd o)) (fun o => t (snd o))). cbn in H. now rewrite !E_const in H.
Qed.
(* IV.9: counting the records of a block depends on the block only *)
Theorem IV_9 X (inside_block : X -> Prop) l (D E : db X) : keep inside_block D = keep inside_block E ->
  total l (keep inside_block D) = total l (keep inside_block E).
Proof. now intros ->. Qed.
(* ... and with noise it is private: outputs at places on a line, with the density N e^(-t |place - count|), where
   Delta is the most by which neighbours change the count and t * Delta = eps.  [integral] is that of densities, or
   a sum over whole numbers: of it is used that it is monotone and homogeneous where it is there *)
Theorem IV_9_noise X (place : X -> R) (integrable : (X -> R) -> Prop) (integral : (X -> R) -> R) N t delta c c' (S : X -> Prop) :
  (forall f g, integrable f -> integrable g -> (forall x, f x <= g x) -> integral f <= integral g) ->
  (forall a f, integrable f -> integrable (fun x => a * f x) /\ integral (fun x => a * f x) = a * integral f) ->
  0 <= N -> 0 <= t -> Rabs (c - c') <= delta ->
  let density count := fun x => N * exp (- (t * Rabs (place x - count))) * event S x in
  integrable (density c) -> integrable (density c') -> integral (density c) <= exp (t * delta) * integral (density c').
Proof.
  intros mono homog P T near density I J. destruct (homog (exp (t * delta)) _ J) as (H & <-). apply mono; [assumption | assumption |].
  intros x. unfold density. pose proof (event_test X S x) as E01. rewrite <- !Rmult_assoc. apply Rmult_le_compat_r; [lra|].
  rewrite (Rmult_comm (exp _) N), !Rmult_assoc. apply Rmult_le_compat_l; [assumption|]. rewrite <- exp_plus. apply exp_le.
  pose proof (Rabs_triang (place x - c) (c - c')) as tri. replace (place x - c + (c - c')) with (place x - c') in tri by ring. nra.
Qed.
(* A.10: integrals of functions between 0 and 1 keep what events have *)
Theorem A_10 O t d (p q : pm O) : 0 < t -> (forall S, prob p S <= t * prob q S + d) ->
  forall g, test g -> E p g <= t * E q g + d.
Proof.
  intros P H g G. replace t with (exp (ln t)) in * by now apply exp_ln. revert g G. now apply VI_1.
Qed.
(* II.2: unbounded eps-DP is group privacy at the canonical distance of unbounded neighbours *)
Theorem II_2 X O e (M : db X -> pm O) : 0 <= e ->
  (between pure unbounded e M <->
   forall r D E, canonical unbounded r D E -> forall S, prob (M D) S <= exp (INR r * e) * prob (M E) S).
Proof.
  intros P. split.
  - intros H r D E K. apply pure_events. apply (everywhere pure _ _ unbounded e M P H r D E K).
  - intros H D E n. apply pure_events. replace e with (INR 1 * e) by (cbn; ring). apply H. exists 1%nat.
    split; [auto | now apply path1].
Qed.

(* ---- databases of one size ---- *)
Lemma total_plus X (D E : db X) l : total l (fun c => D c + E c)%Z = (total l D + total l E)%Z.
Proof. induction l; cbn; lia. Qed.
Lemma total_take X (D : db X) a l : NoDup l -> In a l -> total l D = (D a + total l (fun c => if dec (c = a) then 0 else D c))%Z.
Proof.
  intros N J. induction N as [|b l B N IH]; [destruct J|]. cbn. destruct (dec (b = a)) as [->|ne].
  - f_equal. cbn. clear - B. induction l as [|b l IH]; cbn; [reflexivity|]. rewrite <- IH by (intro; apply B; now right).
    destruct (dec (b = a)); [subst; destruct B; now left | lia].
  - destruct J; [congruence|]. rewrite IH by assumption. lia.
Qed.
Lemma total_drop X (D : db X) a l : D a = 0%Z -> total (a :: l) D = total l D.
Proof. intros H. cbn. lia. Qed.
Lemma total_support X l : NoDup l -> forall m (D : db X), NoDup m -> (forall c, D c <> 0%Z -> In c l) -> (forall c, D c <> 0%Z -> In c m) ->
  total l D = total m D.
Proof.
  induction 1 as [|a l A L IH]; intros m D N S1 S2.
  - cbn. symmetry. apply total_none. intros c. apply NNPP. intros n. destruct (S1 c n).
  - assert (K : total (a :: l) D = (D a + total l (fun c => if dec (c = a) then 0 else D c))%Z).
    { rewrite (total_take X D a (a :: l)) by (try (now constructor); now left). rewrite total_drop; [reflexivity|].
      destruct (dec (a = a)); tauto. }
    rewrite K. destruct (dec (D a = 0%Z)) as [z|z].
    + rewrite z. rewrite Z.add_0_l. rewrite (total_ext _ l _ D).
      * apply IH; auto. intros c n. destruct (S1 c n); [congruence | assumption].
      * intros c. destruct dec; congruence.
    + rewrite (total_take X D a m) by auto. f_equal. apply IH; auto; intros c n; destruct (dec (c = a)); try congruence; auto.
      destruct (S1 c n); congruence || assumption.
Qed.
(* III.4: no two databases of one size differ by one record *)
Theorem III_4_vacuous X (D E : db X) n : natural D -> natural E -> sized D n -> sized E n -> ~ unbounded D E.
Proof.
  cut (forall (D E : db X) x, natural D -> natural E -> sized D n -> sized E n -> ~ (forall c, E c = D c + put c x 1)%Z).
  { intros C nD nE sD sE (x & [g|g]); [now apply (C D E x) | now apply (C E D x)]. }
  clear D E. intros D E x nD nE (l & L & SL & TL) (m & N & SM & TM) g.
  assert (J : In x m). { apply SM. specialize (g x). specialize (nD x). unfold put in g. destruct (dec (x = x)); [lia | tauto]. }
  assert (S : forall c, D c <> 0%Z -> In c m).
  { intros c z. apply SM. specialize (g c). specialize (nD c). unfold put in g. destruct (dec (c = x)); lia. }
  rewrite (total_support X l L m D N SL S) in TL. rewrite (total_ext _ m _ _ g), total_plus in TM.
  pose proof (total_take X (fun c => put c x 1) x m N J) as T. cbv beta in T. rewrite (total_none _ m (fun c => if dec (c = x) then 0 else put c x 1)%Z) in T.
  - unfold put in T at 2. destruct (dec (x = x)); [lia | tauto].
  - intros c. unfold put. destruct (dec (c = x)); reflexivity.
Qed.

(* ---- IV.7: ordered databases, one position replaced, and a partition of the positions ---- *)
Definition replaced {P V} (D E : P -> V) := exists p, forall q, q <> p -> D q = E q.
Definition part_of {P V I} (label : P -> I) (i : I) (D : P -> V) : P -> option V :=
  fun q => if dec (label q = i) then Some (D q) else None.
Theorem IV_7 N P V I (label : P -> I) (O : I -> Type) (M : forall i, outputs O -> (P -> option V) -> pm (O i)) g l : NoDup l ->
  (forall i, In i l -> 0 <= g i) -> (forall i h, In i l -> between N replaced (g i) (M i h)) ->
  between N replaced (worst 1 l g) (comp (fun i h D => M i h (part_of label i D)) l []).
Proof.
  intros L Q H D E (p & n). eapply rel_up; [apply (sum_worst _ l (fun i => i = label p) g 1 Q)|].
  - apply cnt_le1; [exact L|]. congruence.
  - apply adaptive; [intros i J; specialize (Q i J); destruct dec; lra|]. intros i h J. destruct (dec (i = label p)) as [e|ne].
    + apply H; [exact J|]. exists p. intros q d. unfold part_of. destruct dec; [now rewrite n | reflexivity].
    + replace (part_of label i E) with (part_of label i D); [apply rel_refl|]. apply functional_extensionality. intros q.
      unfold part_of. destruct (dec (label q = i)); [|reflexivity]. rewrite n; [reflexivity | congruence].
Qed.
