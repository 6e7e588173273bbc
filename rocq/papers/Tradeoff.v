(* Trade-off functions: Gaussian privacy for any family of them that shifts, two steps of a path, and two
   turns of which the second one reads the first one's output.

   For Gaussian privacy F is the normal distribution function, so that the levels 1 - F z are all numbers
   between 0 and 1; what holds at all of these holds at 0 and at 1. *)
From Coq Require Import Reals Lra Lia List ZArith Classical FunctionalExtensionality.
From Coq Require Eqdep_dec.
From Dpcomp Require Import Measure Notions Compose Databases Rules Records Refute.
From Dpcomp.papers Require Import GB24 Granularities.
Import ListNotations.
Open Scope R_scope.
(* ---- VI.17 to VI.20: trade-off functions.  A family G of them is given by a function F, the normal
   distribution function for Gaussian privacy: at the level 1 - F z, where F z is what a test of size
   1 - F z accepts of the null hypothesis, the least type II error is at least F (z - mu). ---- *)
Definition tradeoff {O} (p q : pm O) (a b : R) := forall g, test g -> E p g <= a -> b <= 1 - E q g.
Definition least_error {O} (p q : pm O) (a t : R) := tradeoff p q a t /\ forall b, tradeoff p q a b -> b <= t.
Lemma least_error_exists O (p q : pm O) a : 0 <= a -> exists t, least_error p q a t /\ 0 <= t <= 1.
Proof.
  intros A. destruct (completeness (fun b => tradeoff p q a b)) as (t & up & least).
  - exists 1. intros b H. assert (z : test (fun _ : O => 0)) by (intro; lra). specialize (H _ z). rewrite !E_const in H. lra.
  - exists 0. intros g T _. pose proof (E_test _ q g T). lra.
  - exists t. assert (B : tradeoff p q a t).
    { intros g T L. apply least. intros b H. now apply H. }
    repeat split; auto.
    + apply up. intros g T _. pose proof (E_test _ q g T). lra.
    + apply least. intros b H. assert (z : test (fun _ : O => 0)) by (intro; lra). specialize (H _ z). rewrite !E_const in H. lra.
Qed.
(* the lemma of the proof of VI.20: T(P, R)(a) >= T(P'', R)(1 - T(P, P'')(a)) *)
Theorem VI_20_two_steps O (p m r : pm O) a s t u : 
  least_error p m a s -> least_error m r (1 - s) t -> least_error p r a u -> t <= u.
Proof.
  intros (A & _) (B & _) (_ & C). apply C. intros g T L. apply B; [assumption|]. specialize (A g T L). lra.
Qed.
Definition shifted (F : R -> R) {O} (mu : R) (p q : pm O) := forall z, tradeoff p q (1 - F z) (F (z - mu)).
Lemma shifted_steps F O (p m r : pm O) mu nu : shifted F mu p m -> shifted F nu m r -> shifted F (mu + nu) p r.
Proof.
  intros A B z g T L. replace (z - (mu + nu)) with (z - mu - nu) by ring. apply B; [assumption|].
  specialize (A z g T L). lra.
Qed.
Theorem VI_20 F T O (G : T -> T -> Prop) mu (M : T -> pm O) : (forall y z, y <= z -> F y <= F z) -> 0 <= mu ->
  ((forall D D', G D D' -> shifted F mu (M D) (M D')) <->
   (forall r D D', canonical G r D D' -> shifted F (INR r * mu) (M D) (M D'))).
Proof.
  intros up P. split.
  - intros H r D D' (s & L & p) z.
    cut (shifted F (INR s * mu) (M D) (M D')).
    { intros K g t l. specialize (K z g t l). eapply Rle_trans; [|exact K]. apply up. apply le_INR in L. nra. }
    clear L r z. induction p as [D|r D D' D'' n p IH].
    + intros z g t l. cbn. replace (z - 0 * mu) with z by ring. lra.
    + rewrite S_INR. replace ((INR r + 1) * mu) with (mu + INR r * mu) by ring. apply shifted_steps with (M D'); auto.
  - intros H D D' n. replace mu with (INR 1 * mu) by (cbn; ring). apply H. exists 1%nat. split; [auto | now apply path1].
Qed.
(* VII.1, VII.2: post-processing, and the parts of an independent composition *)
Theorem VII_1_gaussian F O P mu (p q : pm O) (h : O -> pm P) : shifted F mu p q -> shifted F mu (bind p h) (bind q h).
Proof. intros H z g T L. apply (H z (fun o => E (h o) g)); [|exact L]. intro o. now apply E_test. Qed.
Theorem VII_2_gaussian F T O P mu (M1 : T -> pm O) (M2 : T -> pm P) x y : shifted F mu (independent M1 M2 x) (independent M1 M2 y) ->
  shifted F mu (M1 x) (M1 y) /\ shifted F mu (M2 x) (M2 y).
Proof.
  intros H. split; intros z g G L.
  - specialize (H z (fun o => g (fst o)) (fun o => G (fst o))).
    rewrite (independent_first _ _ _ M1 M2 x g), (independent_first _ _ _ M1 M2 y g) in H by now apply bounded_test. auto.
  - specialize (H z (fun o => g (snd o)) (fun o => G (snd o))).
    rewrite (independent_second _ _ _ M1 M2 x g), (independent_second _ _ _ M1 M2 y g) in H. auto.
Qed.

(* ---- VI.21, A.16: the tests of two turns are no better than those of two independent pairs, of which
   each is as good as a turn.  The best tests of the first pair are nested events, as those of two
   normal distributions are half-lines. ---- *)
Definition two_turns {S Y} (p : pm S) (k : S -> pm Y) : pm (S * Y) := bind p (fun s => bind (k s) (fun y => dirac (s, y))).
Definition indicator (P : Prop) : R := if dec P then 1 else 0.
Fixpoint stairs (m : nat) (w : nat -> R) (P : nat -> Prop) : R :=
  match m with O => 0 | S j => stairs j w P + w j * indicator (P j) end.
Lemma stairs_height m (P : nat -> Prop) (h : R -> R) c : (forall j, P (S j) -> P j) ->
  h (c * stairs m (fun _ => 1) P) = h (c * 0) + stairs m (fun j => h (c * (INR j + 1)) - h (c * INR j)) P.
Proof.
  intros D. induction m as [|m IH]; cbn [stairs]; [rewrite Rplus_0_r; reflexivity|].
  unfold indicator. destruct (dec (P m)) as [p|n].
  - assert (all : stairs m (fun _ => 1) P = INR m).
    { clear - D p. assert (forall j, (j <= m)%nat -> P j).
      { induction m as [|m IH]; intros j L; [replace j with 0%nat by lia; exact p|].
        destruct (Nat.eq_dec j (S m)) as [->|]; [exact p|]. apply IH; [now apply D | lia]. }
      clear p. induction m as [|m IH]; [reflexivity|]. cbn [stairs]. rewrite IH, S_INR by (intros; apply H; lia).
      unfold indicator. destruct dec as [|n]; [ring|]. destruct n. apply H. lia. }
    rewrite all in *. rewrite Rmult_1_l, Rmult_1_r, <- Rplus_assoc, <- IH. ring.
  - rewrite !Rmult_0_r, !Rplus_0_r. rewrite Rmult_0_r in IH. exact IH.
Qed.
Lemma stairs_test O (A : O -> nat -> Prop) j : bounded (fun o => indicator (A o j)).
Proof. apply bounded_between with 0 1. intro o. unfold indicator. destruct dec; lra. Qed.
Lemma stairs_bounded O m w (A : O -> nat -> Prop) : bounded (fun o => stairs m w (A o)).
Proof.
  induction m; cbn [stairs]; [apply bounded_const|]. apply bounded_plus; [assumption|]. apply bounded_mult, stairs_test.
Qed.
Fixpoint mean_stairs (m : nat) (w q : nat -> R) : R := match m with O => 0 | S j => mean_stairs j w q + w j * q j end.
Lemma stairs_mean O (p : pm O) m w (A : O -> nat -> Prop) : E p (fun o => stairs m w (A o)) = mean_stairs m w (fun j => prob p (fun o => A o j)).
Proof.
  induction m as [|m IH]; cbn [stairs mean_stairs]; [apply E_const|].
  rewrite E_plus, IH, E_mult; [reflexivity | apply stairs_test | apply stairs_bounded | apply bounded_mult, stairs_test].
Qed.
Lemma mean_stairs_le m w q q' : (forall j, 0 <= w j) -> (forall j, q j <= q' j) -> mean_stairs m w q <= mean_stairs m w q'.
Proof. intros W H. induction m; cbn; [lra|]. specialize (W m). specialize (H m). nra. Qed.
(* the least number of stairs of height 1/n that reach y *)
Lemma stairs_close n y : (0 < n)%nat -> 0 <= y <= 1 ->
  y <= / INR n * stairs n (fun _ => 1) (fun j => INR j < INR n * y) <= y + / INR n /\
  0 <= / INR n * stairs n (fun _ => 1) (fun j => INR j < INR n * y) <= 1.
Proof.
  intros N Y. assert (P : 0 < INR n) by now apply lt_0_INR.
  assert (C : forall m, (m <= n)%nat -> let t := stairs m (fun _ => 1) (fun j => INR j < INR n * y) in
    0 <= t <= INR m /\ t <= INR n * y + 1 /\ (t = INR m \/ INR n * y <= t)).
  { induction m as [|m IH]; intros L; cbn [stairs INR]; [split; [lra|split; [nra|left; lra]]|].
    specialize (IH ltac:(lia)). cbv zeta in IH. change (match m with 0%nat => 1 | Datatypes.S _ => INR m + 1 end) with (INR (Datatypes.S m)). rewrite S_INR.
    unfold indicator. destruct dec as [l|l]; destruct IH as (A & B & [C|C]); (split; [lra|split; [lra|]]); [left; lra | right; lra | right; lra | right; lra]. }
  specialize (C n (Nat.le_refl n)). cbv zeta in C. set (t := stairs n _ _) in *.
  assert (I : 0 < / INR n) by now apply Rinv_0_lt_compat. assert (U : / INR n * INR n = 1) by (apply Rinv_l; lra).
  destruct C as (A & B & C). assert (INR n * y <= t) by (destruct C; nra).
  assert (/ INR n * (INR n * y) = y) by (rewrite <- Rmult_assoc, U; ring).
  repeat split; nra.
Qed.
Theorem VI_21_two_turns S Y X Z (p q : pm S) (k k' : S -> pm Y) (P0 Q0 : pm X) (P1 Q1 : pm Z)
    (u : R -> X -> Prop) (best : R -> R) (v : R -> Z -> R) (h : R -> R) :
  (* the first pair: its best tests are nested events, and no event of the first turn is better *)
  (forall a, 0 <= a <= 1 -> prob P0 (u a) = a /\ prob Q0 (u a) = best a) -> (forall a b x, a <= b -> u a x -> u b x) ->
  (forall A, prob q A <= best (prob p A)) ->
  (* the second pair: its best tests, and no test of the second turn is better, whatever the first output was *)
  (forall a, 0 <= a <= 1 -> test (v a) /\ E P1 (v a) = a /\ E Q1 (v a) = h a) ->
  (forall a b, 0 <= a -> a <= b -> b <= 1 -> h a <= h b) ->
  (forall s t, test t -> E (k' s) t <= h (E (k s) t)) ->
  forall n a b, (0 < n)%nat -> tradeoff (two_turns P0 (fun _ => P1)) (two_turns Q0 (fun _ => Q1)) (a + / INR n) b ->
  tradeoff (two_turns p k) (two_turns q k') a b.
Proof.
  intros first nested better second up better2 n a b N H g T L. cbn in *.
  set (c := / INR n). set (lv := fun s => E (k s) (fun y => g (s, y))).
  assert (Tg : forall s, test (fun y => g (s, y))) by (intros s y; apply T).
  assert (Tl : forall s, 0 <= lv s <= 1) by (intro s; now apply E_test).
  set (A := fun s j => INR j < INR n * lv s). set (al := fun j => prob p (fun s => A s j)).
  assert (Pa : forall j, 0 <= al j <= 1) by (intro j; apply E_test, event_test).
  assert (An : forall s j, A s (Datatypes.S j) -> A s j) by (intros s j; unfold A; rewrite S_INR; lra).
  assert (dn : forall j, al (Datatypes.S j) <= al j).
  { intro j. apply E_mono; try apply bounded_test, event_test. intro s. unfold event. specialize (An s j). repeat destruct dec; try lra; tauto. }
  set (B := fun x j => u (al j) x). assert (Bn : forall x j, B x (Datatypes.S j) -> B x j) by (intros x j; apply nested, dn).
  set (cut := fun x => c * stairs n (fun _ => 1) (B x)).
  assert (Cp : 0 < c) by (apply Rinv_0_lt_compat; now apply lt_0_INR).
  assert (U : c * INR n = 1) by (apply Rinv_l; apply not_0_INR; lia).
  assert (count : forall (Q : nat -> Prop) m, 0 <= stairs m (fun _ => 1) Q <= INR m).
  { intros Q m. induction m; [cbn; lra|]. rewrite S_INR. cbn [stairs]. unfold indicator. destruct dec; lra. }
  assert (Tc : forall x, 0 <= cut x <= 1) by (intro x; unfold cut; pose proof (count (B x) n); nra).
  set (g' := fun o : X * Z => v (cut (fst o)) (snd o)).
  assert (T' : test g') by (intros (x, z); apply (second (cut x) (Tc x))).
  assert (stair_up : forall j, (j < n)%nat -> 0 <= h (c * (INR j + 1)) - h (c * INR j)).
  { intros j J. assert (INR j + 1 <= INR n) by (rewrite <- S_INR; apply le_INR; lia). pose proof (pos_INR j).
    assert (h (c * INR j) <= h (c * (INR j + 1))); [apply up; nra | lra]. }
  set (w := fun j => if dec (j < n)%nat then h (c * (INR j + 1)) - h (c * INR j) else 0).
  assert (W : forall j, 0 <= w j) by (intro j; unfold w; destruct dec; [now apply stair_up | lra]).
  assert (same : forall m (Q : nat -> Prop), (m <= n)%nat -> stairs m w Q = stairs m (fun j => h (c * (INR j + 1)) - h (c * INR j)) Q).
  { induction m as [|m IH]; intros Q M; [reflexivity|]. cbn [stairs]. rewrite IH by lia. unfold w. destruct dec; [reflexivity | lia]. }
  assert (level : E P0 (fun x => E P1 (fun z => g' (x, z))) <= a + c).
  { rewrite (E_ext _ P0 _ (fun x => c * stairs n (fun _ => 1) (B x))).
    - rewrite E_mult, stairs_mean by apply stairs_bounded.
      apply Rle_trans with (c * mean_stairs n (fun _ => 1) al).
      + apply Rmult_le_compat_l; [lra|]. apply mean_stairs_le; [intros; lra|]. intro j. right. now apply first.
      + unfold al. rewrite <- stairs_mean, <- E_mult by apply stairs_bounded.
        apply Rle_trans with (E p (fun s => 1 * lv s + c)).
        * apply E_mono; [apply bounded_mult, stairs_bounded | |].
          { apply bounded_between with 0 (1 + c). intro s. specialize (Tl s). lra. }
          intro s. destruct (stairs_close n (lv s) N (Tl s)) as ((_ & R) & _). unfold A, c in *. lra.
        * rewrite E_affine by now apply bounded_test. unfold lv. lra.
    - apply bounded_between with 0 1. intro x. apply E_test. intro z. apply T'.
    - apply bounded_mult, stairs_bounded.
    - intro x. unfold g'. cbn. exact (proj1 (proj2 (second (cut x) (Tc x)))). }
  specialize (H g' T' level). apply Rle_trans with (1 := H). cbn -[g'] in *.
  cut (E q (fun s => E (k' s) (fun y => g (s, y))) <= E Q0 (fun x => E Q1 (fun z => g' (x, z)))); [lra|].
  apply Rle_trans with (E q (fun s => stairs n w (A s) + h (c * 0))).
  - apply E_mono; [apply bounded_between with 0 1; intro s; now apply E_test | apply bounded_plus; [apply stairs_bounded | apply bounded_const] |].
    intro s. eapply Rle_trans; [now apply better2|]. fold (lv s).
    destruct (stairs_close n (lv s) N (Tl s)) as ((R1 & _) & R2). rewrite same by lia.
    rewrite Rplus_comm, <- stairs_height by apply An. unfold c, A. apply up; [apply Tl | exact R1 | apply R2].
  - rewrite E_plus, E_const, stairs_mean by (apply stairs_bounded || apply bounded_const).
    apply Rle_trans with (mean_stairs n w (fun j => prob Q0 (fun x => B x j)) + h (c * 0)).
    + apply Rplus_le_compat_r. apply mean_stairs_le; [exact W|]. intro j. unfold B.
      change (prob q (fun s => A s j) <= prob Q0 (u (al j))). rewrite (proj2 (first (al j) (Pa j))). apply better.
    + rewrite <- stairs_mean. rewrite <- (E_const _ Q0 (h (c * 0))) at 1.
      rewrite <- E_plus by (apply stairs_bounded || apply bounded_const). right. apply E_ext.
      * apply bounded_plus; [apply stairs_bounded | apply bounded_const].
      * apply bounded_between with 0 1. intro x. apply E_test. intro z. apply T'.
      * intro x. transitivity (h (cut x)); [|symmetry; exact (proj2 (proj2 (second (cut x) (Tc x))))]. unfold cut.
        rewrite same by lia. rewrite stairs_height by apply Bn. ring.
Qed.
