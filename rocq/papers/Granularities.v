(* More of GB24: distances that are real numbers, blocks of all sizes, what is the best bound, and a
   granularity for each part. *)
From Coq Require Import Reals Lra Lia List ZArith Classical FunctionalExtensionality.
From Coq Require Eqdep_dec.
From Dpcomp Require Import Measure Notions Compose Databases Rules Records Refute.
From Dpcomp.papers Require Import GB24.
Import ListNotations.
Open Scope R_scope.

(* ---- Figure 1: an adaptive composition theorem is one for independent mechanisms, too ---- *)
Definition alone {I T} {O : I -> Type} (M : forall i, T -> pm (O i)) := fun i (_ : outputs O) => M i.
Theorem Figure1 T I (R : forall O : Type, (T -> pm O) -> Prop) (hypothesis : forall i : I, forall O : Type, (T -> pm O) -> Prop) l :
  (forall (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)),
     (forall i h, In i l -> hypothesis i (O i) (M i h)) -> R (outputs O) (comp M l [])) ->
  forall (O : I -> Type) (M : forall i, T -> pm (O i)),
     (forall i, In i l -> hypothesis i (O i) (M i)) -> R (outputs O) (comp (alone M) l []).
Proof. intros adaptive O M H. apply adaptive. intros i h J. now apply H. Qed.
(* ... which is a product: the outputs are drawn one by one, and none reads another *)
Theorem Figure1_product T (O : bool -> Type) (M : forall i, T -> pm (O i)) D g : test g ->
  E (comp (alone M) [true; false] [] D) g =
  E (M true D) (fun a => E (M false D) (fun b => g [existT O false b; existT O true a])).
Proof. reflexivity. Qed.

(* VII.2, VII.3: what a notion that is closed under post-processing says of kept outputs *)
Theorem VII_3_any_notion T I (O : I -> Type) P (notion : forall O : Type, (T -> pm O) -> Prop) :
  (forall O P (M : T -> pm O) (h : O -> pm P), notion O M -> notion P (fun x => bind (M x) h)) ->
  forall (M : forall i, outputs O -> T -> pm (O i)) l (keep_some : outputs O -> P),
  notion (outputs O) (comp M l []) -> notion P (fun x => bind (comp M l [] x) (fun o => dirac (keep_some o))).
Proof. intros closed M l keep_some. apply closed. Qed.

(* A.10 with t = 0, too *)
Theorem A_10_zero O d (p q : pm O) : (forall S, prob p S <= 0 * prob q S + d) -> forall g, test g -> E p g <= 0 * E q g + d.
Proof.
  intros H g T. pose proof (E_test _ p g T). specialize (H (fun _ => True)). unfold prob in H.
  assert (A : E p (event (fun _ : O => True)) = 1).
  { rewrite (E_ext _ p _ (fun _ => 1)); [apply E_one | apply bounded_test, event_test | apply bounded_const |].
    intro o. unfold event. destruct dec; tauto. }
  rewrite A in H. lra.
Qed.

(* II.9, for every label function with two blocks that can hold records: each part says whether its
   block holds a record, which replacing a record of the block does not change *)
Definition holds {X} (D : db X) : bool := if dec (exists c, (1 <= D c)%Z) then true else false.
Theorem II_9 X (label : X -> Z) x y : label x <> label y ->
  let M := fun (i : Z) (_ : outputs (fun _ : Z => bool)) (D : db X) => dirac (holds D) in
  let see := fun (i : Z) (D : db X) => keep (fun c => label c = i) D in
  (forall i h F F', natural F -> natural F' -> bounded_edit F F' -> rel pure 0 (M i h F) (M i h F')) /\
  forall l e, In (label x) l -> exists D E, natural D /\ natural E /\ bounded_edit D E /\
    ~ rel pure e (comp (fun i h D => M i h (see i D)) l [] D) (comp (fun i h D => M i h (see i D)) l [] E).
Proof.
  intros ne M see. split.
  - intros i h F F' nF nF' (a & b & one & ab & g). unfold M.
    replace (holds F') with (holds F); [apply rel_refl|]. unfold holds.
    assert (A : exists c, (1 <= F c)%Z) by now exists a.
    assert (B : exists c, (1 <= F' c)%Z).
    { exists b. rewrite g. specialize (nF b). unfold put. repeat destruct dec; try congruence; lia. }
    destruct (dec (exists c, (1 <= F c)%Z)), (dec (exists c, (1 <= F' c)%Z)); tauto || reflexivity.
  - intros l e J. assert (d : x <> y) by congruence. exists (fun c => put c x 1), (fun c => put c y 1).
    split; [intros c; unfold put; destruct dec; lia|]. split; [intros c; unfold put; destruct dec; lia|]. split.
    { exists x, y. repeat split; [unfold put; destruct dec; [lia | tauto] | assumption |].
      intros c. unfold put. repeat destruct dec; subst; congruence || lia. }
    assert (yes : holds (see (label x) (fun c => put c x 1)) = true).
    { unfold holds. destruct dec as [|n]; [reflexivity|]. destruct n. exists x. unfold see, keep, put. repeat destruct dec; tauto || lia. }
    assert (no : holds (see (label x) (fun c => put c y 1)) = false).
    { unfold holds. destruct dec as [(c & p)|]; [|reflexivity]. unfold see, keep, put in p. repeat destruct dec; subst; try lia; congruence. }
    intros H. set (said := fun o : outputs (fun _ : Z => bool) => In (existT _ (label x) true) o).
    assert (sure : forall D h, exists o, (forall g, E (comp (fun i h D => M i h (see i D)) l h D) g = g o) /\
      (said o <-> said h \/ holds (see (label x) D) = true /\ In (label x) l)).
    { clear - M see. intros D. induction l as [|i l IH]; intros h.
      - exists h. split; [reflexivity|]. cbn. tauto.
      - destruct (IH (existT _ i (holds (see i D)) :: h)) as (o & eq & iff). exists o. split; [exact eq|].
        rewrite iff. unfold said. cbn [In]. split.
        + intros [[e|K]|(A & B)]; auto.
          apply eq_sigT_fst in e as f. cbn in f. subst i. apply (Eqdep_dec.inj_pair2_eq_dec _ Z.eq_dec) in e. auto.
        + intros [K|(A & [B|B])]; auto. left. left. rewrite B. now rewrite A. }
    destruct (sure (fun c => put c x 1) []) as (o & eo & io), (sure (fun c => put c y 1) []) as (u & eu & iu).
    apply (proj1 (pure_events _ e _ _)) with (S := said) in H. unfold prob in H. rewrite eo, eu in H. unfold event in H.
    rewrite yes in io. rewrite no in iu. destruct (dec (said o)) as [|n]; [|destruct n; apply io; auto].
    destruct (dec (said u)) as [t|]; [|lra]. apply iu in t. destruct t as [[]|(A & _)]. discriminate.
Qed.

(* A.4, IV.4: how many records of two databases differ, block by block; l lists the records of both *)
Definition apart {X} (l : list X) (D E : db X) : Z := total l (fun c => Z.abs (D c - E c)).
Fixpoint total_of_blocks (ks : list Z) (f : Z -> Z) : Z := match ks with [] => 0%Z | i :: t => (f i + total_of_blocks t f)%Z end.
Theorem A_4 X (l : list X) (label : X -> Z) ks (D E : db X) : NoDup ks ->
  total_of_blocks ks (fun i => apart l (keep (fun c => label c = i) D) (keep (fun c => label c = i) E)) =
  apart l (keep (fun c => In (label c) ks) D) (keep (fun c => In (label c) ks) E).
Proof.
  induction 1 as [|i ks A N IH]; cbn [total_of_blocks].
  - symmetry. apply total_none. intros c. unfold keep. destruct dec as [[]|]; reflexivity.
  - rewrite IH. unfold apart. rewrite <- total_plus. apply total_ext. intros c. unfold keep. cbn [In].
    destruct (dec (label c = i)) as [e|e], (dec (In (label c) ks)) as [j|j], (dec (i = label c \/ In (label c) ks)) as [o|o];
      try lia; subst; tauto || (exfalso; intuition congruence).
Qed.
Theorem A_4_at_most X (l : list X) (label : X -> Z) ks (D E : db X) : NoDup ks ->
  (total_of_blocks ks (fun i => apart l (keep (fun c => label c = i) D) (keep (fun c => label c = i) E)) <= apart l D E)%Z.
Proof.
  intros N. rewrite A_4 by assumption. unfold apart. induction l as [|c l IH]; cbn [total]; [lia|].
  unfold keep at 1 2. destruct dec; lia.
Qed.
Theorem A_4_exhaustive X (l : list X) (label : X -> Z) ks (D E : db X) : NoDup ks -> (forall c, In (label c) ks) ->
  total_of_blocks ks (fun i => apart l (keep (fun c => label c = i) D) (keep (fun c => label c = i) E)) = apart l D E.
Proof.
  intros N all. rewrite A_4 by assumption. apply total_ext. intros c. unfold keep. destruct dec as [|n]; [reflexivity|]. destruct n; auto.
Qed.
(* ... and where distances add up to at most the whole, the largest guarantee holds at the whole *)
Theorem A_4_largest T I (O : I -> Type) (d : I -> T -> T -> R) (whole : T -> T -> R) (M : forall i, outputs O -> T -> pm (O i)) g l :
  (forall i, In i l -> 0 <= g i) -> (forall i x y, In i l -> 0 <= d i x y) -> (forall x y, sum l (fun i => d i x y) <= whole x y) ->
  (forall i h x y, In i l -> ind (g i * d i x y) 0 (M i h x) (M i h y)) ->
  forall x y, ind (worst 1 l g * whole x y) 0 (comp M l [] x) (comp M l [] y).
Proof.
  intros P Q C H x y. apply ind_weaken with (sum l (fun i => g i * d i x y)) (sum l (fun _ => 0)).
  - apply Rle_trans with (worst 1 l g * sum l (fun i => d i x y)).
    + rewrite <- sum_mult. apply sum_le. intros i J. apply Rmult_le_compat_r; [now apply Q | now apply worst_one].
    + apply Rmult_le_compat_l; [apply worst_pos | apply C].
  - right. now apply sum_zero.
  - apply adaptive_delta; [intros; lra|]. intros i h J. now apply H.
Qed.

(* ---- distances that are real numbers: III-A, III.6 ---- *)
Definition at_distances {T O} (d : T -> T -> R) (M : T -> pm O) := forall x y, ind (d x y) 0 (M x) (M y).
Theorem III_A_smaller T O (d1 d2 : T -> T -> R) (M : T -> pm O) : (forall x y, d1 x y <= d2 x y) -> at_distances d1 M -> at_distances d2 M.
Proof. intros L H x y. apply ind_weaken with (d1 x y) 0; auto. lra. Qed.
Theorem III_A_free_lunch T (G : T -> T -> Prop) r x y : canonical G r x y -> (if dec (x = y) then 0 else 1) <= INR r.
Proof.
  intros (s & L & p). destruct dec as [e|ne]; [apply pos_INR|]. destruct p; [contradiction|].
  apply le_INR in L. rewrite S_INR in L. pose proof (pos_INR r0). lra.
Qed.
Theorem III_A_diameter T (G : T -> T -> Prop) (d : T -> T -> R) c : (forall x y, 0 <= d x y <= c) -> (forall x, d x x = 0) ->
  forall r x y, canonical G r x y -> d x y <= c * INR r.
Proof.
  intros B Z r x y K. pose proof (III_A_free_lunch T G r x y K) as F. specialize (B x y).
  destruct (dec (x = y)) as [->|ne]; [rewrite Z|]; nra.
Qed.
Theorem A_2_metrics T (G : T -> T -> Prop) (C : T -> Prop) r x y :
  canonical (fun x y => C x /\ C y /\ G x y) r x y -> canonical G r x y.
Proof.
  intros (s & L & p). exists s. split; [exact L|]. clear L.
  induction p as [|s x y z (_ & _ & n) p IH]; [constructor | now apply PS with y].
Qed.
Theorem III_6_sensitivity T U O (f : T -> U) (d1 : T -> T -> R) (d2 : U -> U -> R) c e (M : U -> pm O) : 0 <= e ->
  (forall x y, d2 (f x) (f y) <= c * d1 x y) -> at_distances (fun u v => e * d2 u v) M ->
  at_distances (fun x y => e * c * d1 x y) (fun x => M (f x)).
Proof.
  intros P S H x y. apply ind_weaken with (e * d2 (f x) (f y)) 0; [|lra|apply H].
  rewrite Rmult_assoc. now apply Rmult_le_compat_l.
Qed.
Theorem III_6_neighbours T U (G : T -> T -> Prop) (f : T -> U) (d : U -> U -> R) c :
  (forall u, d u u = 0) -> (forall u v w, d u w <= d u v + d v w) ->
  ((forall x y, G x y -> d (f x) (f y) <= c) <-> (forall r x y, path G r x y -> d (f x) (f y) <= c * INR r)).
Proof.
  intros Z tri. split.
  - intros H r x y p. induction p as [x|r x y z n p IH]; [rewrite Z; cbn; lra|].
    rewrite S_INR. specialize (H x y n). specialize (tri (f x) (f y) (f z)). lra.
  - intros H x y n. specialize (H 1%nat x y (path1 T G x y n)). cbn in H. lra.
Qed.
(* VI.13: rates that are any functions of two databases, behind maps, at each pair by itself *)
Theorem VI_13_any_rates T I (U : I -> Type) (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> U i -> pm (O i))
    (rho : forall i, U i -> U i -> R) l : (forall i u v, In i l -> 0 <= rho i u v) ->
  (forall i h u v, In i l -> zrel (rho i u v) (M i h u) (M i h v)) -> forall x y,
  zrel (sum l (fun i => rho i (f i x) (f i y))) (comp (fun i h x => M i h (f i x)) l [] x) (comp (fun i h x => M i h (f i x)) l [] y).
Proof.
  intros P H x y. apply (adaptive zcdp _ _ _ (fun i h x => M i h (f i x)) l [] x y (fun i => rho i (f i x) (f i y))); auto.
  intros i h J. cbn. now apply H.
Qed.
(* VI.3: the growth of delta, summed up *)
Theorem VI_3_growth e r : growth 0 r = INR r /\ growth e r * (exp e - 1) = exp (INR r * e) - 1.
Proof.
  induction r as [|r (A & B)]; [cbn; rewrite !Rmult_0_l, exp_0; lra|]. cbn [growth]. rewrite S_INR. split.
  - rewrite A, exp_0. ring.
  - replace ((INR r + 1) * e) with (e + INR r * e) by ring. rewrite exp_plus. replace (exp (INR r * e)) with (growth e r * (exp e - 1) + 1) by lra. ring.
Qed.
(* VII.2, in zCDP *)
Definition independent {T O P} (M1 : T -> pm O) (M2 : T -> pm P) x := bind (M1 x) (fun a => bind (M2 x) (fun b => dirac (a, b))).
Lemma independent_first T O P (M1 : T -> pm O) (M2 : T -> pm P) x g : bounded g -> E (independent M1 M2 x) (fun o => g (fst o)) = E (M1 x) g.
Proof.
  intros B. cbn. apply E_ext; [|assumption|intros; apply E_const].
  destruct B as (b & B). exists b. intro o. now rewrite E_const.
Qed.
Lemma independent_second T O P (M1 : T -> pm O) (M2 : T -> pm P) x g : E (independent M1 M2 x) (fun o => g (snd o)) = E (M2 x) g.
Proof. cbn. apply E_const. Qed.
Theorem VII_2_zcdp T O P rho (M1 : T -> pm O) (M2 : T -> pm P) x y : zrel rho (independent M1 M2 x) (independent M1 M2 y) ->
  zrel rho (M1 x) (M1 y) /\ zrel rho (M2 x) (M2 y).
Proof.
  intros H. split; intros s g S (B & Pos); assert (Bs := nonneg_pw _ g s ltac:(lra) (conj B Pos)).
  - specialize (H s (fun o => g (fst o)) S). rewrite independent_first in H by assumption.
    rewrite (independent_first _ _ _ M1 M2 y (fun o => pw (g o) s)) in H by apply Bs. apply H. split; [|intros; apply Pos].
    destruct B as (b & B). exists b. intro o. apply B.
  - specialize (H s (fun o => g (snd o)) S). rewrite (independent_second _ _ _ M1 M2 x g) in H.
    rewrite (independent_second _ _ _ M1 M2 y (fun o => pw (g o) s)) in H. apply H. split; [|intros; apply Pos].
    destruct B as (b & B). exists b. intro o. apply B.
Qed.

(* ---- II.2: on all databases over X the distance of unbounded neighbours is |D delta E|; l lists the
   records of both ---- *)
Definition joined {X} (D E : db X) := natural D /\ natural E /\ unbounded D E.
Lemma apart_ext X (l : list X) (D E D' E' : db X) : (forall c, Z.abs (D c - E c) = Z.abs (D' c - E' c))%Z -> apart l D E = apart l D' E'.
Proof. intros H. apply total_ext. exact H. Qed.
Lemma apart_pos X (l : list X) (D E : db X) : (0 <= apart l D E)%Z.
Proof. unfold apart. induction l; cbn [total]; lia. Qed.
Lemma apart_triangle X (l : list X) (D F E : db X) : (apart l D E <= apart l D F + apart l F E)%Z.
Proof. unfold apart. induction l; cbn [total]; lia. Qed.
Lemma apart_one X (l : list X) (D F : db X) : NoDup l -> unbounded D F -> (apart l D F <= 1)%Z.
Proof.
  intros N (x & H). rewrite (apart_ext X l D F (fun _ => 0%Z) (fun c => put c x 1)).
  - unfold apart. rewrite (total_ext _ l _ (fun c => put c x 1)).
    + destruct (total_put X l x 1 N); lia.
    + intros c. unfold put. destruct dec; reflexivity.
  - intros c. destruct H as [H|H]; rewrite H; unfold put; destruct dec; lia.
Qed.
Lemma apart_none X (l : list X) (D E : db X) : (forall c, D c <> E c -> In c l) -> apart l D E = 0%Z -> D = E.
Proof.
  intros S zero. apply functional_extensionality. intros c. apply NNPP. intros ne. specialize (S c ne).
  unfold apart in zero. induction l as [|a l IH]; [destruct S|]. cbn [total] in zero.
  assert (0 <= total l (fun c => Z.abs (D c - E c)))%Z by apply (apart_pos X l D E).
  destruct S as [->|S]; [lia | apply IH; [exact S | lia]].
Qed.
Lemma apart_somewhere X (l : list X) (D E : db X) : (0 < apart l D E)%Z -> exists c, In c l /\ D c <> E c.
Proof.
  unfold apart. induction l as [|a l IH]; cbn [total]; intros H; [lia|].
  destruct (Z.eq_dec (D a) (E a)) as [e|ne]; [|exists a; split; [now left | exact ne]].
  destruct IH as (c & J & ne); [lia|]. exists c. split; [now right | exact ne].
Qed.
Lemma apart_nearer X (l : list X) (D E F : db X) x : NoDup l -> In x l -> (forall c, c <> x -> F c = D c) ->
  (Z.abs (F x - E x) = Z.abs (D x - E x) - 1)%Z -> (apart l F E = apart l D E - 1)%Z.
Proof.
  intros N J H A. unfold apart. rewrite (total_take X (fun c => Z.abs (F c - E c)) x l N J), (total_take X (fun c => Z.abs (D c - E c)) x l N J).
  rewrite (total_ext _ l (fun c => if dec (c = x) then 0 else Z.abs (F c - E c))%Z (fun c => if dec (c = x) then 0 else Z.abs (D c - E c))%Z).
  - lia.
  - intros c. destruct dec as [|ne]; [reflexivity|]. now rewrite H.
Qed.
Theorem II_2_distance X (l : list X) (D E : db X) r : natural D -> natural E -> NoDup l -> (forall c, D c <> E c -> In c l) ->
  (canonical joined r D E <-> (apart l D E <= Z.of_nat r)%Z).
Proof.
  intros nD nE N S. split.
  - intros (s & L & p). cut (apart l D E <= Z.of_nat s)%Z; [lia|]. clear S L nD nE.
    induction p as [D|s D F E (_ & _ & n) p IH].
    + unfold apart. rewrite total_none; [lia | intros; lia].
    + pose proof (apart_triangle X l D F E). pose proof (apart_one X l D F N n). lia.
  - intros L. cut (canonical joined (Z.to_nat (apart l D E)) D E).
    { intros (s & A & p). exists s. split; [|exact p]. pose proof (apart_pos X l D E). lia. }
    clear L. remember (Z.to_nat (apart l D E)) as n eqn:e. revert D nD S e. induction n as [|n IH]; intros D nD S e.
    + pose proof (apart_pos X l D E). exists 0%nat. split; [auto|]. rewrite (apart_none X l D E S) by lia. constructor.
    + destruct (apart_somewhere X l D E) as (x & J & ne); [lia|].
      set (F := fun c => (D c + put c x (if (D x <? E x)%Z then 1 else -1))%Z).
      assert (same : forall c, c <> x -> F c = D c) by (intros c d; unfold F, put; destruct dec; [contradiction | lia]).
      assert (at_x : F x = (D x + (if (D x <? E x)%Z then 1 else -1))%Z) by (unfold F, put; destruct dec; tauto).
      assert (A : (apart l F E = apart l D E - 1)%Z).
      { apply (apart_nearer X l D E F x N J same). rewrite at_x. destruct (Z.ltb_spec (D x) (E x)); lia. }
      assert (nF : natural F).
      { intros c. destruct (dec (c = x)) as [->|d]; [|rewrite same by assumption; apply nD]. rewrite at_x.
        specialize (nD x). specialize (nE x). destruct (Z.ltb_spec (D x) (E x)); lia. }
      destruct (IH F nF) as (s & B & p).
      * intros c d. destruct (dec (c = x)) as [->|k]; [exact J|]. apply S. rewrite <- same by assumption. exact d.
      * lia.
      * exists (Datatypes.S s). split; [lia|]. apply PS with F; [|exact p]. split; [exact nD | split; [exact nF|]].
        exists x. destruct (Z.ltb_spec (D x) (E x)); [left | right]; intros c; unfold F, put; destruct dec; lia.
Qed.
Theorem II_2_apart X O e (M : db X -> pm O) : 0 <= e ->
  ((forall D E, joined D E -> forall S, prob (M D) S <= exp e * prob (M E) S) <->
   (forall l D E, natural D -> natural E -> NoDup l -> (forall c, D c <> E c -> In c l) ->
      forall S, prob (M D) S <= exp (e * IZR (apart l D E)) * prob (M E) S)).
Proof.
  intros P. split.
  - intros H l D E nD nE N K. apply pure_events. pose proof (apart_pos X l D E).
    replace (e * IZR (apart l D E)) with (INR (Z.to_nat (apart l D E)) * e) by (rewrite INR_IZR_INZ, Z2Nat.id by assumption; ring).
    apply (everywhere pure _ _ joined e M P); [|apply (II_2_distance X l); auto; lia].
    intros F F' n. apply pure_events. now apply H.
  - intros H D E (nD & nE & n) S. destruct n as (x & n).
    assert (K : forall c, D c <> E c -> In c [x]).
    { intros c ne. left. apply NNPP. intros d. apply ne. destruct n as [n|n]; specialize (n c); unfold put in n; destruct dec; congruence || lia. }
    assert (N : NoDup [x]) by (constructor; [intros [] | constructor]).
    eapply Rle_trans; [apply (H [x] D E nD nE N K S)|]. apply Rmult_le_compat_r; [apply E_test, event_test|].
    apply exp_le. assert (A : (apart [x] D E <= 1)%Z) by (apply apart_one; [exact N | now exists x]).
    apply IZR_le in A. nra.
Qed.

(* ---- the largest guarantee is the best bound, where neighbours change the block that has it ---- *)
Lemma only_one I (l : list I) (g : I -> R) j : NoDup l -> In j l -> (forall i, 0 <= g i) ->
  sum l (fun i => INR (if dec (i = j) then 1 else 0) * g i) = g j.
Proof.
  intros N J P. induction N as [|i l A N IH]; [destruct J|]. cbn [sum]. destruct (dec (i = j)) as [->|ne].
  - rewrite sum_zero; [cbn; ring|]. intros i K. destruct dec; [subst; contradiction | cbn; ring].
  - destruct J as [|J]; [contradiction|]. rewrite (IH J). cbn. ring.
Qed.
Theorem IV_6_tight I T (U : I -> Type) (Gi : forall i, U i -> U i -> Prop) (f : forall i, T -> U i) (g : I -> R) l j D D' :
  NoDup l -> In j l -> (forall i, 0 <= g i) -> (forall i, In i l -> g i <= g j) -> f j D <> f j D' ->
  exists M : forall i : I, outputs (fun _ : I => bool) -> U i -> pm bool,
    (forall i h F F', Gi i F F' -> rel pure (g i) (M i h F) (M i h F')) /\
    forall B, B < worst 1 l g ->
      exists S, ~ prob (comp (fun i h D => M i h (f i D)) l [] D) S <= exp B * prob (comp (fun i h D => M i h (f i D)) l [] D') S.
Proof.
  intros N J P most ne. assert (W : worst 1 l g <= g j).
  { eapply Rle_trans; [apply (worst_times 1 _ l g (g j)); auto | cbn; lra]. }
  destruct (attained I T U Gi f g l (fun i => if dec (i = j) then 1%nat else 0%nat) D D' P) as (M & private & loses).
  - intros i s _ L. destruct (dec (i = j)) as [->|]; [|lia]. replace s with 0%nat by lia.
    intro p. inversion p. contradiction.
  - exists M. split; [exact private|]. intros B b. apply loses. rewrite only_one; auto. lra.
Qed.
Theorem IV_12_tight I T (U : I -> Type) (G : T -> T -> Prop) (f : forall i, T -> U i) (g : I -> R) l j D D' :
  NoDup l -> In j l -> (forall i, 0 <= g i) -> (forall i, In i l -> g i <= g j) -> f j D <> f j D' ->
  exists M : forall i : I, outputs (fun _ : I => bool) -> T -> pm bool,
    (forall i h F F', G F F' -> rel pure (g i) (M i h F) (M i h F')) /\
    (forall i h, depends_only (f i) (M i h)) /\
    forall B, B < worst 1 l g -> exists S, ~ prob (comp M l [] D) S <= exp B * prob (comp M l [] D') S.
Proof.
  intros N J P most ne. assert (W : worst 1 l g <= g j).
  { eapply Rle_trans; [apply (worst_times 1 _ l g (g j)); auto | cbn; lra]. }
  destruct (attained_common I T U G f g l (fun i => if dec (i = j) then 1%nat else 0%nat) D D' P) as (M & private & dep & loses).
  - intros i _. destruct (dec (i = j)) as [->|]; [split; auto | split; [lia | discriminate]].
  - exists M. split; [exact private | split; [intros i h F F' e; now apply dep|]]. intros B b. apply loses. rewrite only_one; auto. lra.
Qed.

(* ---- IV.7, A.6: what replacing a value may be is any relation of values, and positions may be empty ---- *)
Definition one_position {P V} (step : V -> V -> Prop) (D E : P -> V) := exists p, step (D p) (E p) /\ forall q, q <> p -> D q = E q.
Definition some_step {V} (step : V -> V -> Prop) (a b : option V) :=
  match a, b with Some x, Some y => step x y | _, _ => False end.
Theorem IV_7_positions N P V I (step : V -> V -> Prop) (label : P -> I) (O : I -> Type)
    (M : forall i, outputs O -> (P -> option V) -> pm (O i)) g l : NoDup l -> (forall i, In i l -> 0 <= g i) ->
  (forall i h, In i l -> between N (one_position (some_step step)) (g i) (M i h)) ->
  between N (one_position step) (worst 1 l g) (comp (fun i h D => M i h (part_of label i D)) l []) /\
  forall i D E, one_position step D E -> canonical (one_position (some_step step)) 1%nat (part_of label i D) (part_of label i E).
Proof.
  intros L Q H.
  assert (away : forall i p (D E : P -> V), (forall q, q <> p -> D q = E q) -> i <> label p -> part_of label i D = part_of label i E).
  { intros i p D E n ne. apply functional_extensionality. intros q. unfold part_of.
    destruct (dec (label q = i)); [|reflexivity]. rewrite n; [reflexivity | congruence]. }
  assert (near : forall i p (D E : P -> V), step (D p) (E p) -> (forall q, q <> p -> D q = E q) -> i = label p ->
    one_position (some_step step) (part_of label i D) (part_of label i E)).
  { intros i p D E s n ->. exists p. split.
    - unfold part_of. destruct dec; [exact s | congruence].
    - intros q d. unfold part_of. destruct dec; [now rewrite n | reflexivity]. }
  split.
  - intros D E (p & s & n). eapply rel_up; [apply (sum_worst _ l (fun i => i = label p) g 1 Q)|].
    + apply cnt_le1; [exact L | congruence].
    + apply adaptive; [intros i J; specialize (Q i J); destruct dec; lra|]. intros i h J. destruct (dec (i = label p)) as [e|ne].
      * apply H; [exact J | now apply near with p].
      * rewrite (away i p D E n ne). apply rel_refl.
  - intros i D E (p & s & n). destruct (dec (i = label p)) as [e|ne].
    + exists 1%nat. split; [lia|]. now apply path1, near with p.
    + exists 0%nat. split; [lia|]. rewrite (away i p D E n ne). constructor.
Qed.
(* what holds between neighbours holds between those of a subclass *)
Theorem IV_7_subclass N T O (G : T -> T -> Prop) (C : T -> Prop) g (M : T -> pm O) : between N G g M ->
  between N (fun x y => C x /\ C y /\ G x y) g M.
Proof. intros H x y (_ & _ & n). now apply H. Qed.

(* ---- the summary's III.1, IV.11, V.5: a granularity for each part, and the largest sum over the blocks
   that change together.  That B is at least each of these sums is all that is asked of it. ---- *)
Theorem IV_11_own_granularities N T I (U : I -> Type) (G : T -> T -> Prop) (Gi : forall i, U i -> U i -> Prop)
    (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> U i -> pm (O i)) g l B : (forall i, In i l -> 0 <= g i) ->
  (forall i h, In i l -> between N (Gi i) (g i) (M i h)) ->
  (forall x y, G x y -> exists d : I -> nat, (forall i, In i l -> canonical (Gi i) (d i) (f i x) (f i y)) /\
     sum l (fun i => sc N (d i) * g i) <= B) ->
  between N G B (comp (fun i h x => M i h (f i x)) l []).
Proof.
  intros P H S x y n. destruct (S x y n) as (d & K & L). eapply rel_up; [exact L|]. apply adaptive.
  - intros. apply Rmult_le_pos; [apply sc_pos | auto].
  - intros i h J. apply (everywhere N _ _ (Gi i) (g i) (M i h) (P i J) (H i h J)). now apply K.
Qed.
Theorem IV_11_changed N T I (U : I -> Type) (G : T -> T -> Prop) (Gi : forall i, U i -> U i -> Prop)
    (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> U i -> pm (O i)) g l (r : I -> nat) B : (forall i, In i l -> 0 <= g i) ->
  (forall i h, In i l -> between N (Gi i) (g i) (M i h)) ->
  (forall x y, G x y -> forall i, In i l -> canonical (Gi i) (r i) (f i x) (f i y)) ->
  (forall x y, G x y -> sum l (fun i => if dec (f i x <> f i y) then sc N (r i) * g i else 0) <= B) ->
  between N G B (comp (fun i h x => M i h (f i x)) l []).
Proof.
  intros P H K S. apply IV_11_own_granularities with (G := G) (Gi := Gi) (g := g); auto. intros x y n.
  exists (fun i => if dec (f i x <> f i y) then r i else 0%nat). split.
  - intros i J. destruct dec as [ne|e]; [now apply (K x y n)|]. apply NNPP in e. rewrite e. exists 0%nat. split; [lia | constructor].
  - eapply Rle_trans; [|apply (S x y n)]. apply sum_le. intros i J. destruct dec; [lra|]. rewrite sc_0. lra.
Qed.
Theorem IV_11_common N T I (U : I -> Type) (G : T -> T -> Prop) (Gi : I -> T -> T -> Prop)
    (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> T -> pm (O i)) g l B : (forall i, In i l -> 0 <= g i) ->
  (forall i h, In i l -> between N (Gi i) (g i) (M i h)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  (forall x y, G x y -> exists d : I -> nat, (forall i, In i l -> canonical (push (Gi i) (f i)) (d i) (f i x) (f i y)) /\
     sum l (fun i => sc N (d i) * g i) <= B) ->
  between N G B (comp M l []).
Proof.
  intros P H dep S x y n. destruct (S x y n) as (d & K & L). eapply rel_up; [exact L|]. apply adaptive.
  - intros. apply Rmult_le_pos; [apply sc_pos | auto].
  - intros i h J. apply (IV_11 N T (U i) (O i) (Gi i) (f i) (g i) (M i h)); auto. now apply K.
Qed.
Theorem IV_11_common_changed N T I (U : I -> Type) (G : T -> T -> Prop) (Gi : I -> T -> T -> Prop)
    (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> T -> pm (O i)) g l (r : I -> nat) B : (forall i, In i l -> 0 <= g i) ->
  (forall i h, In i l -> between N (Gi i) (g i) (M i h)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  (forall x y, G x y -> forall i, In i l -> canonical (push (Gi i) (f i)) (r i) (f i x) (f i y)) ->
  (forall x y, G x y -> sum l (fun i => if dec (f i x <> f i y) then sc N (r i) * g i else 0) <= B) ->
  between N G B (comp M l []).
Proof.
  intros P H dep K S. apply IV_11_common with (G := G) (Gi := Gi) (f := f) (g := g); auto. intros x y n.
  exists (fun i => if dec (f i x <> f i y) then r i else 0%nat). split.
  - intros i J. destruct dec as [ne|e]; [now apply (K x y n)|]. apply NNPP in e. rewrite e. exists 0%nat. split; [lia | constructor].
  - eapply Rle_trans; [|apply (S x y n)]. apply sum_le. intros i J. destruct dec; [lra|]. rewrite sc_0. lra.
Qed.
Theorem IV_11_same_granularity T U (G : T -> T -> Prop) (f : T -> U) x y : G x y -> canonical (push G f) 1%nat (f x) (f y).
Proof. apply common_distance. Qed.
(* the summary's III.1: at most n blocks change, each seen at distance r at most *)
Theorem sIII_1 N T I (U : I -> Type) (G : T -> T -> Prop) (Gi : forall i, U i -> U i -> Prop)
    (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> U i -> pm (O i)) g l n r : (forall i, In i l -> 0 <= g i) ->
  (forall i h, In i l -> between N (Gi i) (g i) (M i h)) ->
  (forall x y, G x y -> (cnt l (fun i => f i x <> f i y) <= n)%nat /\ forall i, In i l -> canonical (Gi i) r (f i x) (f i y)) ->
  between N G (worst n l (fun i => sc N r * g i)) (comp (fun i h x => M i h (f i x)) l []) /\
  worst n l (fun i => sc N r * g i) <= INR n * (sc N r * worst 1 l g).
Proof.
  intros P H K. assert (Q : forall i, In i l -> 0 <= sc N r * g i) by (intros; apply Rmult_le_pos; [apply sc_pos | auto]). split.
  - apply IV_11_changed with (G := G) (Gi := Gi) (r := fun _ => r) (g := g); auto.
    + intros x y s. now apply K.
    + intros x y s. apply sum_worst; [exact Q | now apply K].
  - apply worst_times.
    + apply Rmult_le_pos; [apply sc_pos | apply worst_pos].
    + intros i J. split; [now apply Q|]. apply Rmult_le_compat_l; [apply sc_pos | now apply worst_one].
Qed.
(* VI.4, VI.7, A.12: what depends on f only may be asked at any two databases with these images *)
Theorem VI_4_images T I (U : I -> Type) (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> T -> pm (O i))
    (e d : I -> T -> T -> R) l : (forall i x y, In i l -> 0 <= d i x y) ->
  (forall i h x y, In i l -> ind (e i x y) (d i x y) (M i h x) (M i h y)) -> (forall i h, In i l -> depends_only (f i) (M i h)) ->
  forall x y (x' y' : I -> T), (forall i, In i l -> f i (x' i) = f i x) -> (forall i, In i l -> f i (y' i) = f i y) ->
  ind (sum l (fun i => e i (x' i) (y' i))) (sum l (fun i => d i (x' i) (y' i))) (comp M l [] x) (comp M l [] y).
Proof.
  intros P H dep x y x' y' X Y. apply adaptive_delta; auto. intros i h J.
  rewrite <- (dep i h J (x' i) x (X i J)), <- (dep i h J (y' i) y (Y i J)). now apply H.
Qed.
(* III.1 of the summary: nothing is promised at an infinite distance.  A mechanism may then be private and
   tell the two databases apart for sure; d relates what is within a finite distance *)
Theorem s_III_1_infinite U (d : R -> U -> U -> Prop) u v :
  (forall x, exists r, d r x x) -> (forall r x y, d r x y -> exists s, d s y x) ->
  (forall r s x y z, d r x y -> d s y z -> exists t, d t x z) -> (forall r, ~ d r u v) ->
  exists M : U -> pm bool, (forall r x y, d r x y -> ind 0 0 (M x) (M y)) /\
    prob (M u) (fun b => b = true) = 1 /\ prob (M v) (fun b => b = true) = 0.
Proof.
  intros same back on far. set (near := fun x => exists r, d r u x).
  exists (fun x => dirac (if dec (near x) then true else false)). split; [|split].
  - intros r x y D. destruct (dec (near x)) as [(s & X)|X]; destruct (dec (near y)) as [Y|Y]; try apply ind_refl.
    + destruct Y. destruct (on s r u x y X D) as (t & Z). now exists t.
    + destruct X, Y as (s & Y). destruct (back r x y D) as (b & B). destruct (on s b u y x Y B) as (t & Z). now exists t.
  - unfold prob. cbn. destruct (dec (near u)) as [n|n]; [|destruct n; exact (same u)]. unfold event. destruct dec; [reflexivity | now destruct n0].
  - unfold prob. cbn. destruct (dec (near v)) as [(r & D)|n]; [now destruct (far r)|]. unfold event. destruct dec; [discriminate | reflexivity].
Qed.
