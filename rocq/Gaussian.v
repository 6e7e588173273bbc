(* Gaussian privacy, by trade-off functions.

   [shifted F mu p q] says that no test tells p from q better than a shift by mu is told from none, for a
   distribution function F.  Two steps, and two turns of which the second one reads the first one's
   output, are treated for any F.  From a few named facts about normal laws, those of the record
   normal_laws, it follows that Gaussian privacy obeys the laws of Notions.v, where mu * mu is what adds
   up, and what it says in other notions. *)
From Coq Require Import Reals Lra Lia List Classical.
From Dpcomp Require Import Measure Notions Compose.
Import ListNotations.
Open Scope R_scope.

(* at the level 1 - F z, where F z is what a test of size 1 - F z accepts of the null hypothesis p, the
   least type II error is at least F (z - mu) *)
Definition tradeoff {O} (p q : pm O) (a b : R) := forall g, test g -> E p g <= a -> b <= 1 - E q g.
Definition shifted (F : R -> R) {O} (mu : R) (p q : pm O) := forall z, tradeoff p q (1 - F z) (F (z - mu)).
Lemma shifted_steps F O (p m r : pm O) mu nu : shifted F mu p m -> shifted F nu m r -> shifted F (mu + nu) p r.
Proof.
  intros A B z g T L. replace (z - (mu + nu)) with (z - mu - nu) by ring. apply B; [assumption|].
  specialize (A z g T L). lra.
Qed.

(* ---- the tests of two turns are no better than those of two independent pairs, of which each is as
   good as a turn.  The best tests of the first pair are nested events, as those of two normal
   distributions are half-lines. ---- *)
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
Lemma two_turns_at_most S Y X Z (p q : pm S) (k k' : S -> pm Y) (P0 Q0 : pm X) (P1 Q1 : pm Z)
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

(* ---- Neyman and Pearson: where the likelihood ratio is at least c on S, and at most c elsewhere ---- *)
Lemma event_split X (S : X -> Prop) (g : X -> R) x : test g -> 0 <= event S x * g x <= 1 /\ 0 <= event S x * (1 - g x) <= 1 /\
  0 <= (1 - event S x) * g x <= 1.
Proof. intros T. specialize (T x). unfold event. destruct dec; lra. Qed.
Lemma best_tests X (p q : pm X) (S : X -> Prop) c g : 
  (forall f, test f -> (forall x, S x -> f x = 0) -> E q f <= c * E p f) ->
  (forall f, test f -> (forall x, ~ S x -> f x = 0) -> c * E p f <= E q f) ->
  test g -> E q g - c * E p g <= prob q S - c * prob p S.
Proof.
  intros low high T. set (f0 := fun x => (1 - event S x) * g x). set (f1 := fun x => event S x * (1 - g x)).
  assert (T0 : test f0) by (intro x; now apply event_split). assert (T1 : test f1) by (intro x; now apply event_split).
  assert (Z : forall r : pm X, E r g = E r f0 + prob r S + -1 * E r f1).
  { intro r. unfold prob. rewrite <- E_mult, <- !E_plus; auto using bounded_test, bounded_plus, bounded_mult, event_test.
    apply E_ext; auto using bounded_test, bounded_plus, bounded_mult, event_test. intro x. unfold f0, f1. ring. }
  rewrite !Z. specialize (low f0 T0). specialize (high f1 T1).
  assert (E q f0 <= c * E p f0). { apply low. intros x s. unfold f0, event. destruct dec; [ring | contradiction]. }
  assert (c * E p f1 <= E q f1). { apply high. intros x s. unfold f1, event. destruct dec; [contradiction | ring]. }
  lra.
Qed.

(* ---- what is used of normal laws: their distribution function, their density, and that sums of two
   independent ones are normal.  A law is a mean that is given to all bounded functions. ---- *)
Definition ratio (mu x : R) := exp (mu * x - mu * mu / 2).      (* the densities at x of the means mu and 0 *)
Record normal_laws := Normal_laws {
  Phi : R -> R;                                                 (* the distribution function *)
  increasing : forall y z, y < z -> Phi y < Phi z;
  inside : forall z, 0 < Phi z < 1;
  onto : forall a, 0 < a < 1 -> exists z, Phi z = a;
  symmetric : forall z, Phi (- z) = 1 - Phi z;
  normal : R -> pm R;                                           (* the law of a mean, with variance 1 *)
  half_line : forall mu z, prob (normal mu) (fun x => z < x) = 1 - Phi (z - mu);
  density : forall mu f, bounded f -> bounded (fun x => f x * ratio mu x) ->
    E (normal mu) f = E (normal 0) (fun x => f x * ratio mu x);
  half_plane : forall a b u v t, 0 < u * u + v * v ->
    prob (two_turns (normal a) (fun _ => normal b)) (fun o => t < u * fst o + v * snd o) =
    1 - Phi ((t - u * a - v * b) / sqrt (u * u + v * v)) }.

Section Normal.
Variable N : normal_laws.
Let F := Phi N. Let normal := normal N.
Let increasing := increasing N : forall y z, y < z -> F y < F z.
Let inside := inside N : forall z, 0 < F z < 1.
Let onto := onto N : forall a, 0 < a < 1 -> exists z, F z = a.
Let symmetric := symmetric N : forall z, F (- z) = 1 - F z.
Let half_line := half_line N : forall mu z, prob (normal mu) (fun x => z < x) = 1 - F (z - mu).
Let density := density N : forall mu f, bounded f -> bounded (fun x => f x * ratio mu x) ->
  E (normal mu) f = E (normal 0) (fun x => f x * ratio mu x).
Definition two_normal (a b : R) : pm (R * R) := two_turns (normal a) (fun _ => normal b).
Let half_plane := half_plane N : forall a b u v t, 0 < u * u + v * v ->
  prob (two_normal a b) (fun o => t < u * fst o + v * snd o) = 1 - F ((t - u * a - v * b) / sqrt (u * u + v * v)).

Local Lemma up y z : y <= z -> F y <= F z.
Proof. intros [L| ->]; [left; now apply increasing | right; reflexivity]. Qed.
Local Lemma up_back y z : F y <= F z -> y <= z.
Proof. intros H. apply Rnot_lt_le. intros L. apply increasing in L. lra. Qed.
Local Lemma near z b : b < F z -> exists e, 0 < e /\ b < F (z - e).
Proof.
  intros L. destruct (Rle_lt_dec b 0) as [B|P]; [exists 1; split; [lra | pose proof (inside (z - 1)); lra]|].
  pose proof (inside z). destruct (onto ((b + F z) / 2) ltac:(lra)) as (w & W). exists (z - w).
  assert (w < z) by (apply Rnot_le_lt; intros K; apply up in K; lra). split; [lra|].
  replace (z - (z - w)) with w by ring. lra.
Qed.

(* ---- the best tests of a shift: half-lines, one for each level ---- *)
Definition best (a x : R) : Prop := 1 <= a \/ exists z, F z = 1 - a /\ z < x.
Lemma best_nested a b x : a <= b -> best a x -> best b x.
Proof.
  intros L [H|(z & e & H)]; [left; lra|]. destruct (Rle_lt_dec 1 b) as [K|K]; [now left|]. right. pose proof (inside z).
  destruct (onto (1 - b) ltac:(lra)) as (w & W). exists w. split; [exact W|]. assert (w <= z) by (apply up_back; lra). lra.
Qed.
Lemma prob_ext O (p : pm O) (S S' : O -> Prop) : (forall o, S o <-> S' o) -> prob p S = prob p S'.
Proof. intros H. apply E_ext; try apply bounded_test, event_test. intro o. specialize (H o). unfold event. repeat destruct dec; tauto. Qed.
Lemma prob_all O (p : pm O) (S : O -> Prop) : (forall o, S o) -> prob p S = 1.
Proof.
  intros H. transitivity (E p (fun _ => 1)); [|apply E_one]. apply E_ext; auto using bounded_test, event_test, bounded_const.
  intro o. unfold event. destruct dec; [reflexivity | now destruct (n (H o))].
Qed.
Lemma prob_none O (p : pm O) (S : O -> Prop) : (forall o, ~ S o) -> prob p S = 0.
Proof.
  intros H. transitivity (E p (fun _ => 0)); [|apply E_const]. apply E_ext; auto using bounded_test, event_test, bounded_const.
  intro o. unfold event. destruct dec as [s|]; [destruct (H o s) | reflexivity].
Qed.
Lemma best_level m z : prob (normal m) (best (1 - F z)) = 1 - F (z - m).
Proof.
  rewrite <- half_line. apply prob_ext. intro x. unfold best. split.
  - intros [H|(w & e & H)]; [pose proof (inside z); lra|]. assert (z <= w) by (apply up_back; lra). lra.
  - intros H. right. exists z. split; [ring | exact H].
Qed.
Lemma best_size a : 0 <= a <= 1 -> prob (normal 0) (best a) = a.
Proof.
  intros A. destruct (Rle_lt_or_eq_dec _ _ (proj1 A)) as [P| <-]; [destruct (Rle_lt_or_eq_dec _ _ (proj2 A)) as [Q| ->]|].
  - destruct (onto (1 - a) ltac:(lra)) as (z & Z). replace a with (1 - F z) at 1 by lra. rewrite best_level, Rminus_0_r. lra.
  - apply prob_all. intro. left. lra.
  - apply prob_none. intros x [H|(z & e & _)]; [lra|]. pose proof (inside z). lra.
Qed.
Lemma shifted_best O mu (p q : pm O) g : shifted F mu p q -> test g -> E q g <= prob (normal mu) (best (E p g)).
Proof.
  intros H T. pose proof (E_test _ p g T) as A. pose proof (E_test _ q g T) as B.
  destruct (Rle_lt_or_eq_dec _ _ (proj1 A)) as [P|Z]; [destruct (Rle_lt_or_eq_dec _ _ (proj2 A)) as [Q|Z]|].
  - destruct (onto (1 - E p g) ltac:(lra)) as (z & Z). replace (E p g) with (1 - F z) by lra. rewrite best_level.
    specialize (H z g T ltac:(lra)). lra.
  - rewrite prob_all; [lra|]. intro. left. lra.
  - eapply Rle_trans; [|apply E_test, event_test]. apply Rnot_lt_le. intros W.
    destruct (onto (1 - E q g / 2) ltac:(lra)) as (y & Y). pose proof (inside (y + mu)).
    specialize (H (y + mu) g T ltac:(lra)). replace (y + mu - mu) with y in H by ring. lra.
Qed.
Lemma shifted_0 O (p q : pm O) g : shifted F 0 p q -> test g -> E q g <= E p g.
Proof. intros H T. rewrite <- (best_size (E p g)) by now apply E_test. now apply shifted_best. Qed.

(* ---- likelihood ratios, of one law and of two ---- *)
Lemma ratio_pos mu x : 0 < ratio mu x.
Proof. apply exp_pos. Qed.
Local Lemma below mu f k : test f -> (forall x, f x = 0 \/ mu * x <= k) -> E (normal mu) f <= exp (k - mu * mu / 2) * E (normal 0) f.
Proof.
  intros T H. assert (L : forall x, 0 <= f x * ratio mu x <= exp (k - mu * mu / 2) * f x).
  { intro x. pose proof (ratio_pos mu x). specialize (T x). split; [nra|]. destruct (H x) as [e|l]; [rewrite e; lra|].
    rewrite Rmult_comm. apply Rmult_le_compat_r; [lra|]. apply exp_le. lra. }
  assert (B : bounded (fun x => f x * ratio mu x)).
  { apply bounded_between with 0 (exp (k - mu * mu / 2)). intro x. specialize (L x). specialize (T x).
    pose proof (exp_pos (k - mu * mu / 2)). nra. }
  rewrite density, <- E_mult by auto using bounded_test. apply E_mono; auto using bounded_test, bounded_mult. intro x. apply L.
Qed.
Local Lemma above mu f k : test f -> (forall x, f x = 0 \/ k <= mu * x) -> exp (k - mu * mu / 2) * E (normal 0) f <= E (normal mu) f.
Proof.
  intros T H. set (c := exp (k - mu * mu / 2)). set (f' := fun x => c * f x / ratio mu x).
  assert (C : 0 < c) by apply exp_pos.
  assert (L : forall x, 0 <= f' x <= f x).
  { intro x. pose proof (ratio_pos mu x) as P. specialize (T x). unfold f', Rdiv. pose proof (Rinv_0_lt_compat _ P) as I. split; [repeat apply Rmult_le_pos; lra|].
    destruct (H x) as [e|l]; [rewrite e; lra|]. apply Rmult_le_reg_r with (ratio mu x); [exact P|].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. rewrite Rmult_comm. apply Rmult_le_compat_l; [lra|]. apply exp_le. lra. }
  assert (M : forall x, f' x * ratio mu x = c * f x) by (intro x; unfold f'; field; pose proof (ratio_pos mu x); lra).
  assert (B' : bounded f') by (apply bounded_between with 0 1; intro x; specialize (L x); specialize (T x); lra).
  assert (B : bounded (fun x => f' x * ratio mu x)).
  { apply bounded_between with 0 c. intro x. rewrite M. specialize (T x). nra. }
  apply Rle_trans with (E (normal mu) f').
  - rewrite (density mu f') by assumption. rewrite <- E_mult by auto using bounded_test. right.
    apply E_ext; auto using bounded_test, bounded_mult.
  - apply E_mono; auto using bounded_test. intro x. apply L.
Qed.
Lemma pair_rows a b (f : R * R -> R) : E (two_normal a b) f = E (normal a) (fun x => E (normal b) (fun y => f (x, y))).
Proof. reflexivity. Qed.
Lemma pair_below mu nu f t : test f -> (forall o, f o = 0 \/ mu * fst o + nu * snd o <= t) ->
  E (two_normal mu nu) f <= exp (t - (mu * mu + nu * nu) / 2) * E (two_normal 0 0) f.
Proof.
  intros T H. rewrite !pair_rows. set (h := fun x => E (normal 0) (fun y => f (x, y))). set (C := exp (t - (mu * mu + nu * nu) / 2)).
  assert (Th : test h) by (intro x; apply E_test; intro y; apply T).
  assert (In : test (fun x => E (normal nu) (fun y => f (x, y)))) by (intro x; apply E_test; intro y; apply T).
  set (m := fun x => Rmin 1 (exp (t - mu * x - nu * nu / 2) * h x)).
  assert (M0 : forall x, 0 <= exp (t - mu * x - nu * nu / 2) * h x) by (intro x; apply Rmult_le_pos; [left; apply exp_pos | apply Th]).
  assert (Tm : test m).
  { intro x. specialize (M0 x). unfold m, Rmin. destruct Rle_dec; lra. }
  assert (Md : forall x, 0 <= m x * ratio mu x <= C * h x).
  { intro x. pose proof (ratio_pos mu x). specialize (Tm x). split; [nra|].
    apply Rle_trans with (exp (t - mu * x - nu * nu / 2) * h x * ratio mu x); [apply Rmult_le_compat_r; [lra | apply Rmin_r]|].
    right. unfold C. replace (t - (mu * mu + nu * nu) / 2) with ((t - mu * x - nu * nu / 2) + (mu * x - mu * mu / 2)) by field.
    rewrite exp_plus. unfold ratio. ring. }
  apply Rle_trans with (E (normal mu) m).
  - apply E_mono; auto using bounded_test. intro x. apply Rmin_glb; [apply In|].
    apply below; [intro y; apply T|]. intro y. destruct (H (x, y)) as [e|l]; [now left | right; cbn in l; lra].
  - assert (B : bounded (fun x => m x * ratio mu x)).
    { apply bounded_between with 0 C. intro x. specialize (Md x). specialize (Th x). assert (0 < C) by apply exp_pos. nra. }
    rewrite density, <- E_mult by auto using bounded_test. apply E_mono; auto using bounded_test, bounded_mult. intro x. apply Md.
Qed.
Lemma pair_above mu nu f t : test f -> (forall o, f o = 0 \/ t <= mu * fst o + nu * snd o) ->
  exp (t - (mu * mu + nu * nu) / 2) * E (two_normal 0 0) f <= E (two_normal mu nu) f.
Proof.
  intros T H. rewrite !pair_rows. set (h := fun x => E (normal 0) (fun y => f (x, y))). set (C := exp (t - (mu * mu + nu * nu) / 2)).
  assert (Th : test h) by (intro x; apply E_test; intro y; apply T).
  assert (In : test (fun x => E (normal nu) (fun y => f (x, y)))) by (intro x; apply E_test; intro y; apply T).
  set (m := fun x => exp (t - mu * x - nu * nu / 2) * h x).
  assert (L : forall x, m x <= E (normal nu) (fun y => f (x, y))).
  { intro x. apply above; [intro y; apply T|]. intro y. destruct (H (x, y)) as [e|l]; [now left | right; cbn in l; lra]. }
  assert (Tm : test m).
  { intro x. specialize (L x). specialize (In x). cbv beta in In. split; [|lra]. apply Rmult_le_pos; [left; apply exp_pos | apply Th]. }
  assert (Md : forall x, m x * ratio mu x = C * h x).
  { intro x. unfold m, C. replace (t - (mu * mu + nu * nu) / 2) with ((t - mu * x - nu * nu / 2) + (mu * x - mu * mu / 2)) by field.
    rewrite exp_plus. unfold ratio. ring. }
  assert (B : bounded (fun x => m x * ratio mu x)).
  { apply bounded_between with 0 C. intro x. rewrite Md. specialize (Th x). assert (0 < C) by apply exp_pos. nra. }
  apply Rle_trans with (E (normal mu) m).
  - rewrite (density mu m), <- E_mult by auto using bounded_test. right. apply E_ext; auto using bounded_test, bounded_mult.
  - apply E_mono; auto using bounded_test.
Qed.
Lemma pair_shifted mu nu : 0 < mu * mu + nu * nu -> shifted F (sqrt (mu * mu + nu * nu)) (two_normal 0 0) (two_normal mu nu).
Proof.
  intros P w g T L. set (r := sqrt (mu * mu + nu * nu)) in *. assert (R0 : 0 < r) by now apply sqrt_lt_R0.
  assert (RR : r * r = mu * mu + nu * nu) by (apply sqrt_sqrt; lra).
  set (S := fun o : R * R => w * r < mu * fst o + nu * snd o).
  pose proof (best_tests _ (two_normal 0 0) (two_normal mu nu) S (exp (w * r - (mu * mu + nu * nu) / 2)) g) as K.
  assert (A : prob (two_normal 0 0) S = 1 - F w).
  { unfold S. rewrite half_plane by assumption. fold r. do 2 f_equal. field. lra. }
  assert (B : prob (two_normal mu nu) S = 1 - F (w - r)).
  { unfold S. rewrite half_plane by assumption. fold r. do 2 f_equal. replace (w * r - mu * mu - nu * nu) with (w * r - r * r) by (rewrite RR; ring). field. lra. }
  rewrite A, B in K. pose proof (exp_pos (w * r - (mu * mu + nu * nu) / 2)).
  assert (D : E (two_normal mu nu) g - exp (w * r - (mu * mu + nu * nu) / 2) * E (two_normal 0 0) g <=
    1 - F (w - r) - exp (w * r - (mu * mu + nu * nu) / 2) * (1 - F w)); [|nra].
  apply K; [| |exact T].
  - intros f Tf Z. apply pair_below; [exact Tf|]. intro o. destruct (classic (S o)) as [s|s]; [left; auto | right; unfold S in s; lra].
  - intros f Tf Z. apply pair_above; [exact Tf|]. intro o. destruct (classic (S o)) as [s|s]; [right; unfold S in s; lra | left; auto].
Qed.

(* ---- Gaussian privacy as a notion; VI.21 of GB24: of two turns the squares of mu add up ---- *)
Theorem VI_21 O P mu nu (p q : pm O) (k l : O -> pm P) : 0 <= mu -> 0 <= nu -> shifted F mu p q ->
  (forall o, shifted F nu (k o) (l o)) -> shifted F (sqrt (mu * mu + nu * nu)) (bind p k) (bind q l).
Proof.
  intros M M' H K z g T L. destruct (Rle_lt_or_eq_dec 0 (mu * mu + nu * nu)) as [Z|Z]; [nra | |].
  - (* at a level a little above, the tests of two independent laws are no better *)
    set (r := sqrt (mu * mu + nu * nu)). apply Rnot_lt_le. intros W. apply near in W. destruct W as (e & P0 & W).
    assert (G : 0 < F z - F (z - e)) by (assert (F (z - e) < F z) by (apply increasing; lra); lra).
    destruct (archimed_cor1 _ G) as (n & small & pos).
    assert (V : tradeoff (two_turns p k) (two_turns q l) (1 - F z) (F (z - e - r))).
    { apply (two_turns_at_most _ _ _ _ p q k l (normal 0) (normal mu) (normal 0) (normal nu) best
        (fun a => prob (normal mu) (best a)) (fun a => event (best a)) (fun a => prob (normal nu) (best a))) with (n := n).
      - intros a A. split; [now apply best_size | reflexivity].
      - intros a b x. apply best_nested.
      - intros A. apply shifted_best; [exact H | apply event_test].
      - intros a A. split; [apply event_test | split; [now apply best_size | reflexivity]].
      - intros a b A B C. apply E_mono; try apply bounded_test, event_test. intro x. pose proof (best_nested a b x B).
        unfold event. repeat destruct dec; try lra; tauto.
      - intros s t Tt. now apply shifted_best.
      - exact pos.
      - intros f Tf Lf. apply (pair_shifted mu nu Z (z - e) f Tf). unfold two_normal. lra. }
    specialize (V (fun o => g (snd o)) ltac:(intro; apply T) L). replace (z - r - e) with (z - e - r) in W by ring.
    change (F (z - e - r) <= 1 - E (bind q l) g) in V. lra.
  - assert (mu = 0) by nra. assert (nu = 0) by nra. subst mu nu. rewrite <- Z, sqrt_0, Rminus_0_r. cbn in *.
    assert (A : E q (fun o => E (l o) g) <= E q (fun o => E (k o) g)).
    { apply E_mono; auto using bounded_bind, bounded_test. intro o. now apply shifted_0. }
    assert (B : E q (fun o => E (k o) g) <= E p (fun o => E (k o) g)).
    { apply shifted_0; [exact H|]. intro o. now apply E_test. }
    lra.
Qed.
Lemma sqrt_square_mult r e : 0 <= e -> sqrt (square r * e) = INR r * sqrt e.
Proof. intros P. unfold square. pose proof (pos_INR r). rewrite sqrt_mult by nra. now rewrite sqrt_square. Qed.
Definition gaussian : notion.
Proof.
  refine (Notion (fun O e p q => shifted F (sqrt e) p q) square (sc_0 zcdp) (sc_1 zcdp) (sc_mono zcdp) (sc_mult zcdp) _ _ _ _).
  - intros O p z g T L. rewrite sqrt_0, Rminus_0_r. lra.
  - intros O e e' p q L H z g T K. eapply Rle_trans; [|apply (H z g T K)]. apply up. apply sqrt_le_1_alt in L. lra.
  - intros O P e e' p q k l A B H K.
    replace (e + e') with (sqrt e * sqrt e + sqrt e' * sqrt e') by (now rewrite !sqrt_sqrt). apply VI_21; auto using sqrt_pos.
  - intros O e a b p q r P _ _ H K. rewrite sqrt_square_mult in * by assumption. rewrite plus_INR, Rmult_plus_distr_r.
    now apply shifted_steps with q.
Defined.
Lemma gaussian_is_shifted O mu (p q : pm O) : 0 <= mu -> (rel gaussian (mu * mu) p q <-> shifted F mu p q).
Proof. intros P. cbn. now rewrite sqrt_square. Qed.

(* ---- in other notions ---- *)
Lemma line_below mu z f : 0 <= mu -> test f -> (forall x, z < x -> f x = 0) -> E (normal mu) f <= exp (mu * z - mu * mu / 2) * E (normal 0) f.
Proof. intros M T H. apply below; [exact T|]. intro x. destruct (Rle_lt_dec x z); [right; nra | left; auto]. Qed.
Lemma line_above mu z f : 0 <= mu -> test f -> (forall x, ~ z < x -> f x = 0) -> exp (mu * z - mu * mu / 2) * E (normal 0) f <= E (normal mu) f.
Proof. intros M T H. apply above; [exact T|]. intro x. destruct (Rle_lt_dec x z); [left; apply H; lra | right; nra]. Qed.
Theorem approximate_of_gaussian O mu eps (p q : pm O) : 0 < mu -> shifted F mu p q ->
  ind eps (F (mu / 2 - eps / mu) - exp eps * F (- mu / 2 - eps / mu)) q p.
Proof.
  intros M H g T. set (z := eps / mu + mu / 2). pose proof (shifted_best _ _ _ _ g H T) as B.
  pose proof (best_tests _ (normal 0) (normal mu) (fun x => z < x) (exp eps) (event (best (E p g)))) as K.
  change (E (normal mu) (event (best (E p g)))) with (prob (normal mu) (best (E p g))) in K.
  change (E (normal 0) (event (best (E p g)))) with (prob (normal 0) (best (E p g))) in K.
  rewrite best_size, !half_line in K by now apply E_test.
  replace (mu / 2 - eps / mu) with (- (z - mu)) by (unfold z; field; lra).
  replace (- mu / 2 - eps / mu) with (- (z - 0)) by (unfold z; field; lra). rewrite !symmetric.
  assert (Ex : exp eps = exp (mu * z - mu * mu / 2)) by (f_equal; unfold z; field; lra).
  enough (prob (normal mu) (best (E p g)) - exp eps * E p g <= 1 - F (z - mu) - exp eps * (1 - F (z - 0))) by lra.
  apply K; [| |apply event_test]; rewrite Ex; intros f Tf Z.
  - apply line_below; auto. lra.
  - apply line_above; auto. lra.
Qed.
Theorem gaussian_of_pure O eps mu (p q : pm O) : 0 <= mu -> F (mu / 2) = exp eps / (1 + exp eps) ->
  ind eps 0 p q -> ind eps 0 q p -> shifted F mu p q.
Proof.
  intros M C H K. pose proof (exp_pos eps) as X.
  assert (C' : exp eps * (1 - F (mu / 2)) = F (mu / 2)) by (rewrite C; field; lra).
  (* beyond the middle, a half-line is at least e^eps times as likely *)
  assert (tail : forall z, mu / 2 <= z -> exp eps * (1 - F z) <= 1 - F (z - mu)).
  { intros z Z. set (c := exp (mu * z - mu * mu / 2)). set (w := mu / 2) in *.
    set (D := event (fun x => w < x /\ ~ z < x)).
    assert (S : forall m, prob (normal m) (fun x => w < x) = E (normal m) D + prob (normal m) (fun x => z < x)).
    { intro m. unfold prob, D. rewrite <- E_plus by apply bounded_test, event_test.
      apply E_ext; [apply bounded_test, event_test | apply bounded_plus; apply bounded_test, event_test |].
      intro x. unfold event. repeat destruct dec; try lra; exfalso; lra || tauto. }
    pose proof (S 0) as S0. pose proof (S mu) as S1. rewrite !half_line in S0, S1. rewrite !Rminus_0_r in S0.
    replace (1 - F (w - mu)) with (F w) in S1 by (replace (w - mu) with (- w) by (unfold w; field); rewrite symmetric; ring).
    assert (D1 : E (normal mu) D <= c * E (normal 0) D).
    { apply line_below; [exact M | apply event_test|]. intros x L. unfold D, event. destruct dec; [tauto | reflexivity]. }
    assert (A1 : c * prob (normal 0) (fun x => z < x) <= prob (normal mu) (fun x => z < x)).
    { apply line_above; [exact M | apply event_test|]. intros x L. unfold event. destruct dec; [tauto | reflexivity]. }
    rewrite !half_line, Rminus_0_r in A1. assert (D0 : 0 <= E (normal 0) D) by (apply E_test, event_test).
    set (d0 := E (normal 0) D) in *. set (d1 := E (normal mu) D) in *. set (a0 := 1 - F z) in *. set (a1 := 1 - F (z - mu)) in *.
    pose proof (inside z). assert (A0 : 0 < a0) by (unfold a0; lra). rewrite S0, S1 in C'.
    assert (Y : d1 * a0 <= a1 * d0) by nra.
    apply Rmult_le_reg_r with (d0 + a0); [lra|]. nra. }
  intros z g T L. destruct (Rle_lt_dec (mu / 2) z) as [Z|Z].
  - specialize (K g T). specialize (tail z Z). nra.
  - assert (T' : test (fun o => 1 + -1 * g o)) by (intro o; specialize (T o); lra). specialize (H _ T').
    rewrite !E_plus, !E_mult, !E_const in H by (auto using bounded_test, bounded_mult, bounded_const).
    specialize (tail (mu - z) ltac:(lra)). replace (mu - z - mu) with (- z) in tail by ring. rewrite symmetric in tail.
    replace (mu - z) with (- (z - mu)) in tail by ring. rewrite symmetric in tail. nra.
Qed.
(* chains of real lengths, as in Rules.v: what holds at lengths a little above t holds at t *)
Lemma shifted_limit O t (p q : pm O) : (forall e, 0 < e -> exists s, s <= t + e /\ shifted F s p q) -> shifted F t p q.
Proof.
  intros H z g T L. apply Rnot_lt_le. intros W. apply near in W. destruct W as (e & P & W). destruct (H e P) as (s & S & K).
  specialize (K z g T L). assert (F (z - t - e) <= F (z - s)) by (apply up; lra). lra.
Qed.
End Normal.

(* ---- what Gaussian privacy is in zCDP ---- *)
(* the best scale: from all tangents to the power *)
Lemma all_tangents X F w s : 1 < s -> 0 <= F -> (forall l, X <= / s * exp ((1 - s) * l) * F + (1 - / s) * exp (l + w)) ->
  X <= exp ((s - 1) / s * w) * pw F (/ s).
Proof.
  intros S1 F0 K. assert (I : 0 < / s < 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
  unfold pw. destruct (dec (0 < F)) as [F1|F1].
  - specialize (K (/ s * (ln F - w))). eapply Rle_trans; [exact K|]. right.
    assert (e : exp ((1 - s) * (/ s * (ln F - w))) * F = exp (/ s * (ln F - w) + w)).
    { rewrite <- (exp_ln F) at 2 by exact F1. rewrite <- exp_plus. f_equal. field. lra. }
    rewrite Rmult_assoc, e, <- exp_plus. replace ((s - 1) / s * w + / s * ln F) with (/ s * (ln F - w) + w) by (field; lra). ring.
  - rewrite Rmult_0_r. replace F with 0 in K by lra. apply le_epsilon. intros e E0. specialize (K (ln e - w)).
    replace (ln e - w + w) with (ln e) in K by ring. rewrite exp_ln in K by exact E0. nra.
Qed.
Lemma stairs_below w y m : 0 < w -> 0 <= y -> let t := stairs m (fun _ => 1) (fun j => w * (INR j + 1) <= y) in
  0 <= t <= INR m /\ w * t <= y /\ (t = INR m \/ y < w * (t + 1)).
Proof.
  intros W Y. induction m as [|m IH]; cbn [stairs]; cbv zeta in *; [cbn; repeat split; try lra; now left|].
  rewrite S_INR. set (t := stairs m _ _) in *. unfold indicator. destruct IH as ((t0 & tm) & low & C).
  destruct dec as [p|n]; destruct C as [C|C].
  - rewrite C in *. repeat split; try lra; left; lra.
  - exfalso. assert (w * (t + 1) <= w * (INR m + 1)) by (apply Rmult_le_compat_l; lra). lra.
  - rewrite C in *. repeat split; try lra; right; lra.
  - repeat split; try lra; right; lra.
Qed.
Section Concentrated.
Variable N : normal_laws.
Lemma normal_tangents mu s G b l : 0 <= mu -> 1 < s -> (forall x, 0 <= G x <= b) -> let a := s / (s - 1) in
  E (normal N mu) G <= / s * exp ((1 - s) * l) * E (normal N 0) (fun x => pw (G x) s) + (1 - / s) * exp (l + a * (a - 1) * (mu * mu / 2)).
Proof.
  intros M S1 Gb a. assert (A : a * (s - 1) = s) by (unfold a; field; lra). assert (A1 : 1 < a) by nra.
  assert (I : 0 < / s < 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
  assert (b0 : 0 <= b) by (specialize (Gb 0); lra).
  assert (BG : bounded G) by (now apply bounded_between with 0 b).
  assert (BP : bounded (fun x => pw (G x) s)) by (apply (nonneg_pw _ G s); [lra | split; [exact BG | apply Gb]]).
  apply le_epsilon. intros e E0. set (t := Rmin (/ 2) (e / (b + 1))).
  assert (t0 : 0 < t < 1).
  { assert (0 < e / (b + 1)) by (apply Rdiv_lt_0_compat; lra). unfold t, Rmin. destruct Rle_dec; lra. }
  assert (bt : b * t <= e).
  { apply Rle_trans with (b * (e / (b + 1))); [apply Rmult_le_compat_l; [exact b0 | apply Rmin_r]|].
    apply Rmult_le_reg_r with (b + 1); [lra|]. replace (b * (e / (b + 1)) * (b + 1)) with (b * e) by (field; lra). nra. }
  destruct (onto N (1 - t) ltac:(lra)) as (z & Z). set (K := z + mu).
  set (far := event (fun x => K < x)). set (near := fun x => 1 + -1 * far x).
  assert (Tf : test far) by apply event_test. assert (Tn : test near) by (intro x; specialize (Tf x); unfold near; lra).
  assert (cut : forall x, near x = 0 \/ x <= K).
  { intro x. unfold near, far, event. destruct (dec (K < x)); [left; ring | right; lra]. }
  assert (tail : E (normal N mu) far = t).
  { unfold far. change (prob (normal N mu) (fun x => K < x) = t). rewrite half_line. unfold K. replace (z + mu - mu) with z by ring. lra. }
  assert (low : forall c f, 0 <= c -> (forall x, 0 <= f x <= b) -> bounded (fun x => near x * f x * ratio c x)).
  { intros c f C F. apply bounded_between with 0 (b * exp (c * K - c * c / 2)). intro x. specialize (F x). specialize (Tn x).
    pose proof (ratio_pos c x). assert (0 <= near x * f x <= b) by (split; nra). split; [apply Rmult_le_pos; lra|].
    destruct (cut x) as [o|o]; [rewrite o, !Rmult_0_l; pose proof (exp_pos (c * K - c * c / 2)); nra|].
    apply Rmult_le_compat; try lra. unfold ratio. apply exp_le. nra. }
  assert (split : E (normal N mu) G <= E (normal N mu) (fun x => near x * G x) + b * t).
  { rewrite <- tail, <- E_mult, <- E_plus; auto using bounded_mult, bounded_test.
    - apply E_mono; [exact BG | |].
      + apply bounded_plus; [apply bounded_between with 0 b; intro x; specialize (Gb x); specialize (Tn x); nra | apply bounded_mult, bounded_test, Tf].
      + intro x. specialize (Gb x). specialize (Tf x). unfold near. nra.
    - apply bounded_between with 0 b. intro x. specialize (Gb x). specialize (Tn x). nra. }
  assert (one : forall c, 0 <= c -> bounded (fun x => near x * ratio c x) /\ E (normal N 0) (fun x => near x * ratio c x) <= 1).
  { intros c C. assert (Bn : bounded (fun x => near x * ratio c x)).
    { apply bounded_between with 0 (exp (c * K - c * c / 2)). intro x. specialize (Tn x). pose proof (ratio_pos c x). split; [nra|].
      destruct (cut x) as [o|o]; [rewrite o, Rmult_0_l; left; apply exp_pos|]. apply Rle_trans with (1 * ratio c x); [nra|].
      rewrite Rmult_1_l. unfold ratio. apply exp_le. nra. }
    split; [exact Bn|]. rewrite <- density; auto using bounded_test. now apply E_test. }
  assert (main : E (normal N mu) (fun x => near x * G x) <=
    / s * exp ((1 - s) * l) * E (normal N 0) (fun x => pw (G x) s) + (1 - / s) * exp (l + a * (a - 1) * (mu * mu / 2))).
  { rewrite (density N mu (fun x => near x * G x)); [| apply bounded_between with 0 b; intro x; specialize (Gb x); specialize (Tn x); nra | now apply low].
    set (W := a * (a - 1) * (mu * mu / 2)). destruct (one (a * mu) ltac:(nra)) as (Bo & O1).
    apply Rle_trans with (E (normal N 0) (fun x => / s * exp ((1 - s) * l) * pw (G x) s + (1 - / s) * exp (l + W) * (near x * ratio (a * mu) x))).
    - apply E_mono; [now apply low | auto with bounded |]. intro x. specialize (Gb x). specialize (Tn x).
      destruct (cut x) as [o|o].
      + rewrite o, !Rmult_0_l, Rmult_0_r, Rplus_0_r. apply Rmult_le_pos; [apply Rmult_le_pos; [lra | left; apply exp_pos] | apply pw_pos].
      + set (th := mu * x - mu * mu / 2).
        pose proof (tangent (G x) (exp (l + (a - 1) * th)) s (proj1 Gb) (exp_pos _) S1) as X. rewrite ln_exp in X.
        apply (Rmult_le_compat_l (exp th)) in X; [|left; apply exp_pos].
        assert (e1 : exp th * exp ((1 - s) * (l + (a - 1) * th)) = exp ((1 - s) * l)).
        { rewrite <- exp_plus. f_equal. replace ((1 - s) * (l + (a - 1) * th)) with ((1 - s) * l - (a * (s - 1) - s + 1) * th) by ring. rewrite A. ring. }
        assert (e2 : exp th * exp (l + (a - 1) * th) = exp (l + W) * ratio (a * mu) x).
        { unfold ratio. rewrite <- !exp_plus. f_equal. unfold th, W. field. }
        replace (exp th * (/ s * exp ((1 - s) * (l + (a - 1) * th)) * pw (G x) s + (1 - / s) * exp (l + (a - 1) * th)))
          with (/ s * (exp th * exp ((1 - s) * (l + (a - 1) * th))) * pw (G x) s + (1 - / s) * (exp th * exp (l + (a - 1) * th))) in X by ring.
        rewrite e1, e2 in X. unfold near in *. unfold far, event in *. destruct (dec (K < x)) as [k|k]; [lra|].
        rewrite Rmult_0_r, Rplus_0_r, !Rmult_1_l. unfold ratio at 1. fold th. lra.
    - rewrite E_plus, !E_mult by auto with bounded. apply Rplus_le_compat_l.
      rewrite <- (Rmult_1_r ((1 - / s) * exp (l + W))) at 2. apply Rmult_le_compat_l; [|exact O1].
      apply Rmult_le_pos; [lra | left; apply exp_pos]. }
  lra.
Qed.
Theorem zcdp_half_square_of_gaussian O mu (p q : pm O) : 0 <= mu -> shifted (Phi N) mu p q -> rel zcdp (mu * mu / 2) q p.
Proof.
  intros M H s g S1 G0. set (a := s / (s - 1)). assert (A1 : a - 1 = / (s - 1)) by (unfold a; field; lra).
  replace (mu * mu / 2 / (s - 1)) with ((s - 1) / s * (a * (a - 1) * (mu * mu / 2))) by (rewrite A1; unfold a; field; lra).
  apply all_tangents; [exact S1 | apply nonneg_E, nonneg_pw; [lra | exact G0] |]. intro l.
  destruct G0 as ((b & Bb) & g0). assert (Bg : bounded g) by now exists b.
  assert (Gs := nonneg_pw _ g s ltac:(lra) (conj Bg g0)).
  apply le_epsilon. intros e E0. set (b1 := Rabs b + 1). assert (b0 : 0 < b1) by (unfold b1; pose proof (Rabs_pos b); lra).
  assert (gb : forall o, 0 <= g o <= b1).
  { intro o. split; [apply g0|]. specialize (Bb o). unfold b1. pose proof (Rle_abs (g o)). pose proof (Rle_abs b). lra. }
  destruct (archimed_cor1 (e / b1) ltac:(now apply Rdiv_lt_0_compat)) as (n & n1 & n0).
  set (w := b1 / INR n). assert (P : 0 < INR n) by now apply lt_0_INR. assert (w0 : 0 < w) by now apply Rdiv_lt_0_compat.
  assert (wn : w * INR n = b1) by (unfold w; field; lra).
  assert (we : w <= e).
  { unfold w, Rdiv. apply Rmult_le_reg_l with (/ b1); [now apply Rinv_0_lt_compat|]. rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra.
    unfold Rdiv in n1. rewrite (Rmult_comm e) in n1. lra. }
  set (Aj := fun o j => w * (INR j + 1) <= g o). assert (An : forall o j, Aj o (S j) -> Aj o j) by (intros o j; unfold Aj; rewrite S_INR; nra).
  set (al := fun j => prob p (fun o => Aj o j)). assert (Pa : forall j, 0 <= al j <= 1) by (intro j; apply E_test, event_test).
  assert (dn : forall j, al (S j) <= al j).
  { intro j. apply E_mono; try apply bounded_test, event_test. intro o. unfold event. specialize (An o j). repeat destruct dec; try lra; tauto. }
  set (B := fun x j => best N (al j) x). assert (Bn : forall x j, B x (S j) -> B x j) by (intros x j; apply best_nested, dn).
  set (G := fun x => w * stairs n (fun _ => 1) (B x)).
  assert (count : forall (Q : nat -> Prop) m, 0 <= stairs m (fun _ => 1) Q <= INR m).
  { intros Q m. induction m; [cbn; lra|]. rewrite S_INR. cbn [stairs]. unfold indicator. destruct dec; lra. }
  assert (Gb : forall x, 0 <= G x <= b1) by (intro x; unfold G; pose proof (count (B x) n); rewrite <- wn; nra).
  (* from above *)
  assert (up : E q g <= E (normal N mu) G + w).
  { apply Rle_trans with (E q (fun o => w * stairs n (fun _ => 1) (Aj o) + w)).
    - apply E_mono; [exact Bg | apply bounded_plus; [apply bounded_mult, stairs_bounded | apply bounded_const] |].
      intro o. destruct (stairs_below w (g o) n w0 (g0 o)) as (_ & _ & C). fold (Aj o) in C. specialize (gb o).
      change (fun j => w * (INR j + 1) <= g o) with (Aj o) in C. destruct C as [C|C]; [rewrite C; lra | lra].
    - rewrite E_affine, stairs_mean by apply stairs_bounded. apply Rplus_le_compat_r. unfold G. rewrite E_mult, stairs_mean by apply stairs_bounded.
      apply Rmult_le_compat_l; [lra|]. apply mean_stairs_le; [intros; lra|]. intro j. unfold B, al, prob at 1 3.
      apply (shifted_best N _ mu p q _ H). apply event_test. }
  (* from below *)
  assert (down : E (normal N 0) (fun x => pw (G x) s) <= E p (fun o => pw (g o) s)).
  { set (h := fun j => pw (w * (INR j + 1)) s - pw (w * INR j) s).
    rewrite (E_ext _ (normal N 0) _ (fun x => stairs n h (B x) + pw (w * 0) s)).
    - rewrite E_plus, E_const, stairs_mean by (apply stairs_bounded || apply bounded_const).
      apply Rle_trans with (mean_stairs n h (fun j => prob p (fun o => Aj o j)) + pw (w * 0) s).
      + apply Rplus_le_compat_r, mean_stairs_le.
        * intro j. unfold h. assert (pw (w * INR j) s <= pw (w * (INR j + 1)) s); [apply pw_mono; nra | lra].
        * intro j. unfold B. rewrite best_size by apply Pa. unfold al. lra.
      + rewrite <- stairs_mean, <- (E_const _ p (pw (w * 0) s)) at 1. rewrite <- E_plus by (apply stairs_bounded || apply bounded_const).
        apply E_mono; [apply bounded_plus; [apply stairs_bounded | apply bounded_const] | apply Gs |].
        intro o. unfold h. rewrite Rplus_comm, <- (stairs_height n (Aj o) (fun y => pw y s) w) by apply An.
        apply pw_mono; [lra|]. destruct (stairs_below w (g o) n w0 (g0 o)) as (_ & L & _). exact L.
    - apply (nonneg_pw _ G s); [lra|]. split; [now apply bounded_between with 0 b1 | apply Gb].
    - apply bounded_plus; [apply stairs_bounded | apply bounded_const].
    - intro x. unfold G, h. rewrite (stairs_height n (B x) (fun y => pw y s) w) by apply Bn. ring. }
  pose proof (normal_tangents mu s G b1 l M S1 Gb) as K. cbv zeta in K. fold a in K.
  assert (/ s * exp ((1 - s) * l) * E (normal N 0) (fun x => pw (G x) s) <= / s * exp ((1 - s) * l) * E p (fun o => pw (g o) s)).
  { apply Rmult_le_compat_l; [|exact down]. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra | left; apply exp_pos]. }
  lra.
Qed.
End Concentrated.
