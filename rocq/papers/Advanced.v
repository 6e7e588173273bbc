(* Advanced composition (HBW, section II-A), adaptive, of (eps, delta)-DP mechanisms.  The step from k
   mechanisms to k + 1 is the best possible one; exponential moments then give the published formula. *)
From Coq Require Import Reals Lra Lia List Classical.
From Dpcomp Require Import Measure Notions Compose Conversions.
Import ListNotations.
Open Scope R_scope.

Lemma ind_up_to O e d b (p q : pm O) f : ind e d p q -> 0 <= b -> (forall o, 0 <= f o <= b) ->
  E p f <= exp e * E q f + d * b.
Proof.
  intros H B F. destruct (Rle_lt_or_eq_dec 0 b B) as [P|Z].
  - specialize (H (fun o => / b * f o)). assert (bounded f) by now apply bounded_between with 0 b.
    rewrite !E_mult in H by assumption. pose proof (Rinv_0_lt_compat b P) as I. assert (U : b * / b = 1) by (apply Rinv_r; lra).
    assert (T : test (fun o => / b * f o)) by (intro o; destruct (F o); split; nra). specialize (H T).
    apply (Rmult_le_compat_l b) in H; [|lra]. rewrite Rmult_plus_distr_l in H.
    replace (b * (/ b * E p f)) with (E p f) in H by (rewrite <- Rmult_assoc, U; ring).
    replace (b * (exp e * (/ b * E q f))) with (exp e * E q f) in H.
    2: { transitivity (b * / b * (exp e * E q f)); [rewrite U|]; ring. }
    lra.
  - subst b. assert (S : forall r : pm O, E r f = 0).
    { intro r. rewrite <- (E_const _ r 0). apply E_ext; auto with bounded.
      - now apply bounded_between with 0 0.
      - intro o. destruct (F o). lra. }
    rewrite !S. lra.
Qed.

(* the step, once it is known at which probability the worst test changes from one slope to the other *)
Lemma step_at O t e d d1 d2 H (p q : pm O) (f g : O -> R) : 0 <= e -> 0 <= d -> ind e d p q -> ind e d q p ->
  test f -> test g -> d2 <= H -> H <= 1 -> 0 <= d2 ->
  (forall o, f o <= exp (t - e) * g o + d1) -> (forall o, f o <= exp (t + e) * g o + d2) ->
  H = 1 \/ exp e * exp e * (H - d1) = H - d2 ->
  let y := H * (1 - exp (- e)) + exp (- e) * d2 in
  E p f <= exp t * E q g + (d + (1 - d) * y).
Proof.
  intros P D A B F G L1 L2 Z K1 K2 kink y.
  set (u := exp (- e)). assert (U : exp e * u = 1) by (unfold u; rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  set (x := exp e) in *. set (c := exp t). assert (u0 : 0 < u) by apply exp_pos. assert (x0 : 0 < x) by apply exp_pos.
  assert (T1 : exp (t - e) = c * u) by (unfold c, u, Rminus; apply exp_plus).
  assert (T2 : exp (t + e) = c * x) by apply exp_plus.
  set (m := fun o => Rmax d2 (Rmin (f o) H)). set (r := fun o => f o - Rmin (f o) H).
  assert (M : forall o, d2 <= m o <= H).
  { intro o. unfold m, Rmax, Rmin. destruct (Rle_dec (f o) H); destruct Rle_dec; lra. }
  assert (R0 : forall o, 0 <= r o <= 1 - H).
  { intro o. destruct (F o). unfold r, Rmin. destruct Rle_dec; lra. }
  assert (bm : bounded m) by now apply bounded_between with d2 H.
  assert (br : bounded r) by now apply bounded_between with 0 (1 - H).
  assert (up : E p f <= E p m + E p r).
  { rewrite <- E_plus by assumption. apply E_mono; auto with bounded. intro o.
    unfold m, r. pose proof (Rmax_r d2 (Rmin (f o) H)). lra. }
  assert (low : u * (E q m) - u * d2 + x * E q r <= c * E q g).
  { assert (E q (fun o => u * m o + (x * r o + - (u * d2))) <= E q (fun o => c * g o)).
    { apply E_mono; auto with bounded. intro o. specialize (K1 o). specialize (K2 o). rewrite T1 in K1. rewrite T2 in K2.
      destruct (F o), (G o). assert (c0 : 0 < c) by apply exp_pos. assert (cg : 0 <= c * g o) by nra.
      assert (k2 : u * (f o - d2) <= c * g o).
      { replace (c * g o) with (u * (c * x * g o)); [nra|]. transitivity (x * u * (c * g o)); [ring | rewrite U; ring]. }
      unfold m, r, Rmax, Rmin. destruct (Rle_dec (f o) H) as [i|i]; destruct Rle_dec as [j|j]; try nra. }
    rewrite !E_plus, !E_mult, E_const in H0 by auto with bounded. lra. }
  assert (rest : E p r <= x * E q r + d * (1 - H)) by (apply ind_up_to; auto; lra).
  pose proof (ind_up_to O e d (H - d2) q p (fun o => -1 * m o + H) B ltac:(lra)) as other.
  assert (N : forall o, 0 <= -1 * m o + H <= H - d2) by (intro o; specialize (M o); lra). specialize (other N).
  rewrite !E_affine in other by assumption. fold x in other.
  assert (main : E p m <= H * (1 - u) + u * E q m + u * (d * (H - d2))).
  { apply Rmult_le_reg_l with x; [assumption|].
    replace (x * (H * (1 - u) + u * E q m + u * (d * (H - d2)))) with (x * H - x * u * H + x * u * E q m + x * u * (d * (H - d2))) by ring.
    rewrite U. lra. }
  unfold y. fold u. nra.
Qed.

(* one more mechanism, before k others: of all (eps, delta)-close pairs the worst reveals the database with
   probability delta and is else randomized response *)
Theorem II_A_step O P t e d d1 d2 (p q : pm O) (k k' : O -> pm P) : 0 <= e -> 0 <= d <= 1 -> 0 <= d2 <= d1 ->
  ind e d p q -> ind e d q p ->
  (forall o, ind (t - e) d1 (k o) (k' o)) -> (forall o, ind (t + e) d2 (k o) (k' o)) ->
  ind t (d + (1 - d) * (exp e * weight e * d1 + weight e * d2)) (bind p k) (bind q k').
Proof.
  intros P0 D Z A B K1 K2 g G. cbn [bind E]. set (y := exp e * weight e * d1 + weight e * d2).
  set (f1 := fun o => E (k o) g). set (f2 := fun o => E (k' o) g).
  assert (F1 : test f1) by (intro o; now apply E_test). assert (F2 : test f2) by (intro o; now apply E_test).
  assert (L1 : forall o, f1 o <= exp (t - e) * f2 o + d1) by (intro o; now apply K1).
  assert (L2 : forall o, f1 o <= exp (t + e) * f2 o + d2) by (intro o; now apply K2).
  pose proof (exp_pos e) as x0. assert (X : 1 <= exp e) by (rewrite <- exp_0; now apply exp_le).
  pose proof (weight_pos e) as w0. pose proof (weight_one e) as W.
  destruct (Rle_lt_dec 1 y) as [big|small].
  { pose proof (E_test _ p f1 F1). pose proof (E_test _ q f2 F2). pose proof (exp_pos t).
    assert (1 <= d + (1 - d) * y) by nra. assert (0 <= exp t * E q f2) by nra. lra. }
  assert (d2y : d2 <= y).
  { assert (0 <= exp e * weight e * (d1 - d2)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). unfold y. nra. }
  assert (below : forall H, d2 <= H -> H <= 1 -> H = 1 \/ exp e * exp e * (H - d1) = H - d2 ->
    H * (1 - exp (- e)) + exp (- e) * d2 <= y -> E p f1 <= exp t * E q f2 + (d + (1 - d) * y)).
  { intros H h1 h2 h3 h4.
    pose proof (step_at O t e d d1 d2 H p q f1 f2 P0 ltac:(lra) A B F1 F2 h1 h2 ltac:(lra) L1 L2 h3) as S. cbn in S. nra. }
  set (x := exp e) in *. set (u := exp (- e)) in *.
  assert (U : x * u = 1) by (unfold x, u; rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (u0 : 0 < u) by apply exp_pos.
  destruct (Rle_lt_or_eq_dec 1 x X) as [more|one].
  - set (h := (x * x * d1 - d2) / (x * x - 1)). assert (xx : 0 < x * x - 1) by nra.
    assert (hx : h * (x * x - 1) = x * x * d1 - d2) by (unfold h; field; lra).
    assert (hd : d2 <= h) by (apply Rmult_le_reg_r with (x * x - 1); [assumption | rewrite hx; nra]).
    assert (hy : h * (1 - u) + u * d2 = y).
    { assert (w : weight e = u * (/ (1 + u))).
      { unfold weight. fold x. replace x with (/ u) by (field_simplify_eq; [nra | lra]). field. lra. }
      unfold y. rewrite w. unfold h. replace x with (/ u) by (field_simplify_eq; [nra | lra]).
      assert (u < 1) by nra. field. repeat split; nra. }
    destruct (Rle_lt_dec h 1) as [le|gt].
    + apply (below h); [assumption | assumption | right; nra | lra].
    + apply (below 1); [lra | lra | now left | nra].
  - apply (below 1); [lra | lra | now left |]. assert (u = 1) by (rewrite <- one in U; lra). rewrite H. lra.
Qed.

Lemma half_loss_nonneg e : 0 <= e -> 0 <= half_loss e.
Proof.
  intros P. pose proof (cosh_pos (e / 2)). apply Rmult_le_pos; [assumption|].
  apply Rmult_le_pos; [apply sinh_pos; lra | left; now apply Rinv_0_lt_compat].
Qed.
Lemma half_loss_zero e : 0 <= e -> half_loss e <= 0 -> e = 0.
Proof.
  intros [P| <-] L; [|reflexivity]. assert (0 < half_loss e); [|lra]. apply Rmult_lt_0_compat; [assumption|].
  apply Rdiv_lt_0_compat; [|apply cosh_pos]. unfold sinh. pose proof (exp_increasing (- (e / 2)) (e / 2) ltac:(lra)). lra.
Qed.

(* k mechanisms, each of which reads all outputs before it: for all orders s and every t at once *)
Section Adaptively.
Context {I T : Type} (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) (x y : T) (e d : I -> R).
Definition close (l : list I) := forall i, In i l -> 0 <= e i /\ 0 <= d i <= 1 /\
  forall h, ind (e i) (d i) (M i h x) (M i h y) /\ ind (e i) (d i) (M i h y) (M i h x).
(* the least delta of all together at every t, and that all have no more *)
Fixpoint optimal (l : list I) (t : R) : R :=
  match l with
  | [] => Rmax 0 (1 - exp t)
  | i :: m => d i + (1 - d i) * (exp (e i) * weight (e i) * optimal m (t - e i) + weight (e i) * optimal m (t + e i))
  end.
Lemma optimal_falls l : close l -> forall s t, s <= t -> 0 <= optimal l t <= optimal l s.
Proof.
  intros C. induction l as [|i l IH]; intros s t L; cbn [optimal].
  - pose proof (exp_le s t L). split; [apply Rmax_l|]. unfold Rmax. repeat destruct Rle_dec; lra.
  - destruct (C i (or_introl eq_refl)) as (P & D & _). specialize (IH (fun j J => C j (or_intror J))).
    pose proof (IH (s - e i) (t - e i) ltac:(lra)). pose proof (IH (s + e i) (t + e i) ltac:(lra)).
    pose proof (weight_pos (e i)). pose proof (exp_pos (e i)). assert (0 <= exp (e i) * weight (e i)) by nra.
    set (a := exp (e i) * weight (e i)) in *. set (w := weight (e i)) in *.
    assert (a * optimal l (t - e i) <= a * optimal l (s - e i)) by (apply Rmult_le_compat_l; lra).
    assert (w * optimal l (t + e i) <= w * optimal l (s + e i)) by (apply Rmult_le_compat_l; lra).
    assert (0 <= a * optimal l (t - e i)) by (apply Rmult_le_pos; lra). assert (0 <= w * optimal l (t + e i)) by (apply Rmult_le_pos; lra).
    split; [|apply Rplus_le_compat_l, Rmult_le_compat_l; lra]. apply Rplus_le_le_0_compat; [lra|]. apply Rmult_le_pos; lra.
Qed.
Theorem II_A_optimal l t h : close l -> ind t (optimal l t) (comp M l h x) (comp M l h y).
Proof.
  intros C. revert h t. induction l as [|i l IH]; intros h t; cbn [optimal comp].
  - intros g G. destruct (G h). cbn. pose proof (exp_pos t). unfold Rmax. destruct Rle_dec; nra.
  - destruct (C i (or_introl eq_refl)) as (P & D & H). destruct (H h) as (A & B).
    assert (C' : close l) by (intros j J; apply C; now right).
    apply II_A_step; auto. apply optimal_falls; [assumption | lra].
Qed.
Theorem II_A_moments l s t h : close l -> 0 < s ->
  ind t (sum l d + exp (s * (s + 1) * sum l (fun i => half_loss (e i)) - s * t)) (comp M l h x) (comp M l h y).
Proof.
  intros C S. revert h t. induction l as [|i l IH]; intros h t.
  - intros g G. destruct (G h). cbn. pose proof (exp_pos t). rewrite Rmult_0_r, Rplus_0_l.
    destruct (Rle_lt_dec 0 t) as [P|N].
    + pose proof (exp_le 0 t P). rewrite exp_0 in *. pose proof (exp_pos (0 - s * t)). nra.
    + pose proof (exp_le 0 (0 - s * t) ltac:(nra)). rewrite exp_0 in *. nra.
  - destruct (C i (or_introl eq_refl)) as (E0 & D0 & H). destruct (H h) as (A & B).
    assert (C' : close l) by (intros j J; apply C; now right).
    set (D := sum l d). set (a := s * (s + 1) * sum l (fun j => half_loss (e j))).
    assert (DP : 0 <= D) by (apply sum_pos; intros j J; destruct (C' j J); lra).
    set (d1 := D + exp (a - s * (t - e i))). set (d2 := D + exp (a - s * (t + e i))).
    assert (Z : 0 <= d2 <= d1).
    { unfold d1, d2. pose proof (exp_pos (a - s * (t + e i))). pose proof (exp_le (a - s * (t + e i)) (a - s * (t - e i)) ltac:(nra)). lra. }
    pose proof (II_A_step (O i) (outputs O) t (e i) (d i) d1 d2 (M i h x) (M i h y)
      (fun o => comp M l (existT _ i o :: h) x) (fun o => comp M l (existT _ i o :: h) y) E0 D0 Z A B
      (fun o => IH C' _ (t - e i)) (fun o => IH C' _ (t + e i))) as K.
    cbn [comp]. eapply ind_weaken; [right; reflexivity | | exact K]. cbn [sum]. fold D.
    pose proof (weight_pos (e i)) as w0. pose proof (weight_one (e i)) as W. pose proof (two_outputs (e i) (s + 1) E0 ltac:(lra)) as V.
    replace (s * (s + 1) * (half_loss (e i) + sum l (fun j => half_loss (e j))) - s * t)
      with ((s + 1) * (s + 1 - 1) * half_loss (e i) + (a - s * t)) by (unfold a; ring).
    rewrite exp_plus. set (b := exp ((s + 1) * (s + 1 - 1) * half_loss (e i))) in *. set (c := exp (a - s * t)).
    assert (c0 : 0 < c) by apply exp_pos.
    assert (worst : exp (e i) * weight (e i) * d1 + weight (e i) * d2 <= D + b * c).
    { unfold d1, d2. replace (a - s * (t - e i)) with (a - s * t + s * e i) by ring. replace (a - s * (t + e i)) with (a - s * t + - (s * e i)) by ring.
      rewrite !exp_plus. fold c.
      assert (V1 : exp (e i * (s + 1)) = exp (e i) * exp (s * e i)) by (rewrite <- exp_plus; f_equal; ring).
      assert (V2 : exp (e i) * exp (- (e i * (s + 1))) = exp (- (s * e i))) by (rewrite <- exp_plus; f_equal; ring).
      rewrite V1 in V. replace (exp (e i) * weight (e i) * exp (- (e i * (s + 1)))) with (weight (e i) * exp (- (s * e i))) in V by (rewrite <- V2; ring).
      set (v1 := exp (s * e i)) in *. set (v2 := exp (- (s * e i))) in *. set (q := exp (e i)) in *. set (w := weight (e i)) in *.
      replace (q * w * (D + c * v1) + w * (D + c * v2)) with ((q * w + w) * D + (w * (q * v1) + w * v2) * c) by ring.
      rewrite W. nra. }
    assert (0 <= D + b * c). { assert (0 < b) by apply exp_pos. nra. }
    assert (0 <= exp (e i) * weight (e i) * d1 + weight (e i) * d2).
    { pose proof (exp_pos (e i)). assert (0 <= exp (e i) * weight (e i)) by nra. nra. }
    nra.
Qed.
Theorem II_A l delta h : close l -> 0 < delta < 1 -> let r := sum l (fun i => half_loss (e i)) in
  ind (r + 2 * sqrt (r * ln (1 / delta))) (sum l d + delta) (comp M l h x) (comp M l h y).
Proof.
  intros C D r. assert (each : forall i, In i l -> 0 <= half_loss (e i)) by (intros i J; apply half_loss_nonneg, (C i J)).
  destruct (sum_pos _ l _ each) as [P|Z]; fold r in P || fold r in Z.
  2: { (* nothing but the deltas is lost *)
    rewrite <- Z. replace (0 + 2 * sqrt (0 * ln (1 / delta))) with 0 by (rewrite Rmult_0_l, sqrt_0; ring).
    apply ind_weaken with (sum l e) (sum l d); [right | lra | apply adaptive_delta; intros; now apply C].
    apply sum_zero. intros i J. apply half_loss_zero; [apply (C i J)|]. fold r in Z. rewrite Z. unfold r.
    clear - J each. induction l as [|j l IH]; [contradiction|]. cbn. assert (0 <= half_loss (e j)) by (apply each; now left).
    assert (0 <= sum l (fun i => half_loss (e i))) by (apply sum_pos; intros; apply each; now right).
    destruct J as [->|J]; [lra|]. specialize (IH (fun i K => each i (or_intror K)) J). lra. } assert (L : 0 < ln (1 / delta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. unfold Rdiv. rewrite Rmult_1_l, <- Rinv_1. apply Rinv_lt_contravar; lra. }
  set (b := ln (1 / delta)) in *. set (w := sqrt (r * b)). assert (W : w * w = r * b) by (apply sqrt_sqrt; nra).
  assert (w0 : 0 < w) by (apply sqrt_lt_R0; nra). set (s := w / r). assert (s0 : 0 < s) by now apply Rdiv_lt_0_compat.
  eapply ind_weaken; [right; reflexivity | | apply (II_A_moments l s _ h C s0)].
  apply Rplus_le_compat_l. apply Rle_trans with (exp (- b)).
  - apply exp_le. fold r. right. replace (s * (s + 1) * r - s * (r + 2 * w)) with (s * s * r - 2 * s * w) by ring. unfold s.
    transitivity (- (w * w / r)); [field; lra | rewrite W; field; lra].
  - right. unfold b, Rdiv. rewrite Rmult_1_l, ln_Rinv by lra. rewrite Ropp_involutive. apply exp_ln. lra.
Qed.
End Adaptively.

(* ... which is never more than the published number *)
Theorem II_A_never_more k e b : 0 <= e -> 0 <= b ->
  INR k * half_loss e + 2 * sqrt (INR k * half_loss e * b) <= sqrt (2 * INR k * b) * e + INR k * e * (exp e - 1).
Proof.
  intros P B. pose proof (half_loss_le e P) as H. pose proof (pos_INR k) as K.
  pose proof (half_loss_nonneg e P).
  assert (A : 2 * sqrt (INR k * half_loss e * b) <= sqrt (2 * INR k * b) * e).
  { rewrite <- (sqrt_square 2) at 1 by lra. rewrite <- (sqrt_square e) at 2 by assumption.
    assert (0 <= INR k * half_loss e) by nra. assert (0 <= INR k * b) by nra.
    rewrite <- !sqrt_mult by nra. apply sqrt_le_1_alt.
    assert (INR k * b * half_loss e <= INR k * b * (e * e / 2)) by (apply Rmult_le_compat_l; assumption). nra. }
  assert (e <= exp e - 1) by (pose proof (exp_ineq1_le e); lra).
  assert (INR k * half_loss e <= INR k * (e * (exp e - 1))) by (apply Rmult_le_compat_l; nra). nra.
Qed.

(* as published: k mechanisms with the same eps and delta *)
Theorem II_A_published {I T} (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) (x y : T) l e d delta h :
  0 <= e -> 0 <= d <= 1 -> 0 < delta < 1 ->
  (forall i h, In i l -> ind e d (M i h x) (M i h y) /\ ind e d (M i h y) (M i h x)) ->
  let k := INR (length l) in
  ind (sqrt (2 * k * ln (1 / delta)) * e + k * e * (exp e - 1)) (k * d + delta) (comp M l h x) (comp M l h y).
Proof.
  intros P D L H k.
  assert (S : forall a, sum l (fun _ => a) = k * a).
  { intro a. unfold k. clear. induction l; [cbn; ring|]. cbn [sum length]. rewrite S_INR, IHl. ring. }
  assert (B : 0 <= ln (1 / delta)).
  { rewrite <- ln_1. left. apply ln_increasing; [lra|]. unfold Rdiv. rewrite Rmult_1_l, <- Rinv_1. apply Rinv_lt_contravar; lra. }
  pose proof (II_A O M x y (fun _ => e) (fun _ => d) l delta h) as A. cbn zeta in A. rewrite !S in A.
  eapply ind_weaken; [apply (II_A_never_more (length l) e (ln (1 / delta)) P B) | right; reflexivity | apply A; [|assumption]].
  intros i J. repeat split; try lra; now apply H.
Qed.

(* mechanisms that attain the least delta, for all t at once: with probability d an output that tells which of
   two databases it is, and else randomized response *)
Definition truth (b : bool) (e : R) : R := if b then exp e * weight e else weight e.
Lemma truth_between b e : 0 <= truth b e <= 1.
Proof. pose proof (weight_pos e). pose proof (weight_one e). pose proof (exp_pos e). assert (0 < exp e * weight e) by nra. destruct b; cbn; lra. Qed.
Definition worst (e d : R) (D : 0 <= d <= 1) (b : bool) : pm (bool * bool).
Proof.
  refine (PM (fun g => d * g (true, b) + (1 - d) * (truth b e * g (false, true) + (1 - truth b e) * g (false, false))) _ _ _ _).
  - intros f g _ _ L. pose proof (truth_between b e). pose proof (L (true, b)). pose proof (L (false, true)). pose proof (L (false, false)).
    assert (truth b e * f (false, true) <= truth b e * g (false, true)) by (apply Rmult_le_compat_l; lra).
    assert ((1 - truth b e) * f (false, false) <= (1 - truth b e) * g (false, false)) by (apply Rmult_le_compat_l; lra).
    apply Rplus_le_compat; [apply Rmult_le_compat_l; lra | apply Rmult_le_compat_l; lra].
  - intros. ring.
  - intros. ring.
  - ring.
Defined.
Lemma worst_close e d D b : 0 <= e -> ind e d (worst e d D b) (worst e d D (negb b)).
Proof.
  intros P g G. cbn. destruct (G (true, b)), (G (true, negb b)), (G (false, true)), (G (false, false)).
  pose proof (weight_pos e) as w0. pose proof (weight_one e) as W. assert (X : 1 <= exp e) by (rewrite <- exp_0; now apply exp_le).
  set (u := g (false, true)) in *. set (v := g (false, false)) in *. set (q := exp e) in *. set (w := weight e) in *.
  assert (d * g (true, b) <= d) by nra. assert (0 <= q * (d * g (true, negb b))) by (repeat apply Rmult_le_pos; lra).
  assert (qw : 0 < q * w) by nra. assert (1 - q * w = w) by lra. assert (1 - w = q * w) by lra.
  assert (main : truth b e * u + (1 - truth b e) * v <= q * (truth (negb b) e * u + (1 - truth (negb b) e) * v)).
  { assert (0 <= (q * q - 1) * w * v) by (repeat apply Rmult_le_pos; nra). assert (0 <= (q * q - 1) * w * u) by (repeat apply Rmult_le_pos; nra).
    destruct b; cbn; fold q; fold w; rewrite ?H9, ?H10; nra. }
  assert ((1 - d) * (truth b e * u + (1 - truth b e) * v) <= (1 - d) * (q * (truth (negb b) e * u + (1 - truth (negb b) e) * v))).
  { apply Rmult_le_compat_l; lra. }
  nra.
Qed.
Section Attained.
Context {I : Type} (e d : I -> R) (D : forall i, 0 <= d i <= 1).
Let O := fun _ : I => (bool * bool)%type.
Let M := fun i (_ : outputs O) b => worst (e i) (d i) (D i) b.
Fixpoint told (h : outputs O) : option bool :=
  match h with
  | [] => None
  | existT _ _ (sure, b) :: t => match told t with Some c => Some c | None => if sure then Some b else None end
  end.
Fixpoint lost (h : outputs O) : R :=
  match h with [] => 0 | existT _ i (_, b) :: t => (if b then e i else - e i) + lost t end.
Definition best (t : R) (h : outputs O) : R :=
  match told h with Some b => if b then 1 else 0 | None => if dec (t < lost h) then 1 else 0 end.
Lemma best_test t : test (best t).
Proof. intro h. unfold best. destruct (told h) as [[]|]; [lra | lra |]. destruct dec; lra. Qed.
Lemma one_more l i h b g : E (comp M (i :: l) h b) g =
  d i * E (comp M l (existT O i (true, b) :: h) b) g + (1 - d i) * (truth b (e i) * E (comp M l (existT O i (false, true) :: h) b) g
  + (1 - truth b (e i)) * E (comp M l (existT O i (false, false) :: h) b) g).
Proof. reflexivity. Qed.
Lemma told_stays t l b c : forall h, told h = Some c -> E (comp M l h b) (best t) = if c then 1 else 0.
Proof.
  induction l as [|i l IH]; intros h H.
  - cbn. unfold best. now rewrite H.
  - assert (all : forall o, told (existT O i o :: h) = Some c) by (intros (s, r); cbn; now rewrite H).
    rewrite one_more, !IH by apply all. ring.
Qed.
Theorem II_A_attained : (forall i h b, 0 <= e i -> ind (e i) (d i) (M i h b) (M i h (negb b))) /\
  forall l t, test (best t) /\ E (comp M l [] true) (best t) = exp t * E (comp M l [] false) (best t) + optimal e d l t.
Proof.
  split; [intros; now apply worst_close|]. intros l t. split; [apply best_test|].
  cut (forall h, told h = None ->
    E (comp M l h true) (best t) = exp (t - lost h) * E (comp M l h false) (best t) + optimal e d l (t - lost h)).
  { intros H. specialize (H [] eq_refl). cbn [lost] in H. now rewrite Rminus_0_r in H. }
  induction l as [|i l IH]; intros h H.
  - cbn. unfold best. rewrite H. destruct dec as [y|n].
    + pose proof (exp_increasing (t - lost h) 0 ltac:(lra)). rewrite exp_0 in *. unfold Rmax. destruct Rle_dec; lra.
    + pose proof (exp_le 0 (t - lost h) ltac:(lra)). rewrite exp_0 in *. unfold Rmax. destruct Rle_dec; lra.
  - rewrite !one_more. cbn [optimal]. set (u := t - lost h).
    assert (up : told (existT O i (false, true) :: h) = None) by (cbn; now rewrite H).
    assert (down : told (existT O i (false, false) :: h) = None) by (cbn; now rewrite H).
    pose proof (IH _ up) as A. pose proof (IH _ down) as B. cbn [lost] in A, B.
    replace (t - (e i + lost h)) with (u - e i) in A by (unfold u; ring). replace (t - (- e i + lost h)) with (u + e i) in B by (unfold u; ring).
    rewrite (told_stays t l true true (existT O i (true, true) :: h)) by (cbn; now rewrite H).
    rewrite (told_stays t l false false (existT O i (true, false) :: h)) by (cbn; now rewrite H).
    rewrite A, B. cbn [truth]. pose proof (weight_one (e i)) as W.
    assert (X : exp (e i) * exp (- e i) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    assert (Y : exp (u - e i) = exp u * exp (- e i)) by (unfold Rminus; apply exp_plus). rewrite Y, exp_plus.
    set (q := exp (e i)) in *. set (w := weight (e i)) in *. set (v := exp (- e i)) in *. set (z := exp u).
    set (y1 := E (comp M l (existT O i (false, true) :: h) false) (best t)). set (y2 := E (comp M l (existT O i (false, false) :: h) false) (best t)).
    replace (1 - q * w) with w by lra. replace (1 - w) with (q * w) by lra.
    replace (q * w * (z * v * y1 + optimal e d l (u - e i))) with (q * v * (w * z * y1) + q * w * optimal e d l (u - e i)) by ring.
    rewrite X. ring.
Qed.
End Attained.

(* ---- E26: deltas of adaptive parts, for events that the epsilons allow: 1 - (1 - d_1) ... (1 - d_k) ---- *)
Lemma delta_bind O P e1 d1 e2 d2 (p q : pm O) (k k' : O -> pm P) : 0 <= d1 <= 1 -> 0 <= d2 <= 1 ->
  ind e1 d1 p q -> (forall o, ind e2 d2 (k o) (k' o)) ->
  ind (e1 + e2) (1 - (1 - d1) * (1 - d2)) (bind p k) (bind q k').
Proof.
  intros D1 D2 H K g G. pose proof (E_test _ (bind p k) g G) as A. pose proof (E_test _ (bind q k') g G) as B. cbn in *.
  pose proof (exp_pos (e1 + e2)). destruct (Rle_lt_dec 1 d2) as [one|less]; [nra|].
  set (m := fun o => Rmin 1 (exp e2 / (1 - d2) * E (k' o) g)). pose proof (exp_pos e2) as x2. assert (c0 : 0 < 1 - d2) by lra.
  assert (f0 : 0 < exp e2 / (1 - d2)) by now apply Rdiv_lt_0_compat.
  assert (T : test m).
  { intro o. unfold m. pose proof (E_test _ (k' o) g G). unfold Rmin. destruct Rle_dec; nra. }
  assert (up : E p (fun o => E (k o) g) <= E p (fun o => (1 - d2) * m o + d2)).
  { apply E_mono; auto with bounded. intro o. specialize (K o g G). pose proof (E_test _ (k o) g G).
    unfold m, Rmin. destruct Rle_dec; [lra|]. replace ((1 - d2) * (exp e2 / (1 - d2) * E (k' o) g)) with (exp e2 * E (k' o) g) by (field; lra). lra. }
  assert (low : E q m <= E q (fun o => exp e2 / (1 - d2) * E (k' o) g + 0)).
  { apply E_mono; auto with bounded. intro o. unfold m. pose proof (Rmin_r 1 (exp e2 / (1 - d2) * E (k' o) g)). lra. }
  rewrite E_affine in up by auto with bounded. rewrite E_affine in low by auto with bounded. specialize (H m T).
  rewrite exp_plus. set (y := E q (fun o => E (k' o) g)) in *. pose proof (exp_pos e1) as x1.
  assert ((1 - d2) * E q m <= exp e2 * y).
  { apply (Rmult_le_compat_l (1 - d2)) in low; [|lra]. replace ((1 - d2) * (exp e2 / (1 - d2) * y + 0)) with (exp e2 * y) in low by (field; lra). exact low. }
  nra.
Qed.
Fixpoint left_over {I} (d : I -> R) (l : list I) : R := match l with [] => 1 | i :: t => (1 - d i) * left_over d t end.
Theorem E26 {I T} (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) (x y : T) l e d h :
  (forall i, In i l -> 0 <= d i <= 1) -> (forall i h, In i l -> ind (e i) (d i) (M i h x) (M i h y)) ->
  ind (sum l e) (1 - left_over d l) (comp M l h x) (comp M l h y) /\
  1 - left_over d l <= sum l d /\ ((forall i, In i l -> d i < 1) -> 1 - left_over d l < 1).
Proof.
  intros D H.
  assert (B : forall m, (forall i, In i m -> In i l) -> 0 <= left_over d m <= 1).
  { induction m as [|i m IH]; intros S; cbn; [lra|]. pose proof (D i (S i (or_introl eq_refl))). specialize (IH (fun j J => S j (or_intror J))). nra. }
  split; [|split].
  - assert (G : forall m, (forall i, In i m -> In i l) -> forall h, ind (sum m e) (1 - left_over d m) (comp M m h x) (comp M m h y)).
    { induction m as [|i m IH]; intros S h'; cbn [sum left_over comp].
      - apply ind_weaken with 0 0; [lra | lra | apply ind_refl].
      - pose proof (D i (S i (or_introl eq_refl))). pose proof (B m (fun j J => S j (or_intror J))).
        replace ((1 - d i) * left_over d m) with ((1 - d i) * (1 - (1 - left_over d m))) by ring.
        apply delta_bind; [lra | lra | apply H, S; now left |]. intros o. apply IH. intros j J. apply S. now right. }
    apply G. auto.
  - clear H. induction l as [|i l IH]; cbn; [lra|]. pose proof (D i (or_introl eq_refl)).
    specialize (IH (fun j J => D j (or_intror J)) (fun m S => B m (fun j J => or_intror (S j J)))).
    pose proof (B l (fun j J => or_intror J)). nra.
  - intros L. assert (0 < left_over d l); [|lra]. clear - L. induction l as [|i l IH]; cbn; [lra|].
    pose proof (L i (or_introl eq_refl)). specialize (IH (fun j J => L j (or_intror J))). nra.
Qed.
