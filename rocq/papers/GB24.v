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
