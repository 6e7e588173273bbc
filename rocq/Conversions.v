(* What a guarantee says in another notion: eps-DP in zCDP, exactly, and zCDP in (eps, delta). *)
From Coq Require Import Reals Lra Lia Classical FunctionalExtensionality.
From Dpcomp Require Import Measure Notions.
Open Scope R_scope.

(* ---- two that are eps-close in both directions are two mixtures of the same two: A with
   probability e^eps / (1 + e^eps) or else B, and the other way around ---- *)
Definition weight (eps : R) : R := / (1 + exp eps).
Lemma weight_pos eps : 0 < weight eps.
Proof. apply Rinv_0_lt_compat. pose proof (exp_pos eps). lra. Qed.
Lemma weight_one eps : exp eps * weight eps + weight eps = 1.
Proof. unfold weight. pose proof (exp_pos eps). field. lra. Qed.
Lemma ind_nonneg O eps (p q : pm O) f : ind eps 0 p q -> nonneg f -> E p f <= exp eps * E q f.
Proof.
  intros H ((b & B) & P). set (m := Rabs b + 1). assert (M : 0 < m) by (unfold m; pose proof (Rabs_pos b); lra).
  assert (F : bounded f) by now exists b.
  specialize (H (fun o => / m * f o)). rewrite !E_mult in H by assumption. pose proof (Rinv_0_lt_compat m M) as I.
  assert (T : test (fun o => / m * f o)).
  { intro o. specialize (P o). split; [nra|]. apply Rmult_le_reg_l with m; [assumption|].
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l, Rmult_1_r by lra. specialize (B o). unfold m.
    pose proof (Rle_abs (f o)). pose proof (Rle_abs b). lra. }
  specialize (H T). apply Rmult_le_reg_l with (/ m); [assumption|]. lra.
Qed.
Lemma bounded_minus O (f g : O -> R) : bounded f -> bounded g -> bounded (fun o => g o + -1 * f o).
Proof. auto with bounded. Qed.
Lemma ind_difference O eps (p q : pm O) f g : ind eps 0 p q -> bounded f -> bounded g -> (forall o, f o <= g o) ->
  E p g - E p f <= exp eps * (E q g - E q f).
Proof.
  intros H F G L. pose proof (ind_nonneg O eps p q (fun o => g o + -1 * f o) H) as K.
  rewrite !E_plus, !E_mult in K by auto with bounded. cut (nonneg (fun o => g o + -1 * f o)); [intro Z; specialize (K Z); lra|].
  split; [auto with bounded|]. intro o. specialize (L o). lra.
Qed.
Definition extreme {O} eps (p q : pm O) (P : 0 < eps) (H : ind eps 0 q p) : pm O.
Proof.
  assert (X : 0 < exp eps - 1) by (pose proof (exp_increasing 0 eps P); rewrite exp_0 in *; lra).
  refine (PM (fun f => / (exp eps - 1) * (exp eps * E p f - E q f)) _ _ _ _).
  - intros f g F G L. apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat|].
    pose proof (ind_difference O eps q p f g H F G L). lra.
  - intros. rewrite !E_plus by assumption. ring.
  - intros. rewrite !E_mult by assumption. ring.
  - rewrite !E_one. field. lra.
Defined.
Theorem mixtures O eps (p q : pm O) : 0 < eps -> ind eps 0 p q -> ind eps 0 q p ->
  exists A B : pm O, forall f, bounded f ->
    E p f = exp eps * weight eps * E A f + weight eps * E B f /\
    E q f = weight eps * E A f + exp eps * weight eps * E B f.
Proof.
  intros P H K. exists (extreme eps p q P K), (extreme eps q p P H). intros f F. cbn. unfold weight.
  pose proof (exp_increasing 0 eps P). rewrite exp_0 in *. split; field; lra.
Qed.

(* ---- what these two lose at each Renyi order ---- *)
Lemma monotone_of (f f' : R -> R) a b : a <= b -> (forall c, a <= c <= b -> derivable_pt_lim f c (f' c)) ->
  (forall c, a <= c <= b -> 0 <= f' c) -> f a <= f b.
Proof.
  intros [L| ->] D P; [|lra]. destruct (MVT_cor2 f f' a b L D) as (c & e & C). specialize (P c ltac:(lra)). nra.
Qed.
Lemma sinh_pos x : 0 <= x -> 0 <= sinh x.
Proof. intros X. unfold sinh. pose proof (exp_le (- x) x ltac:(lra)). lra. Qed.
Lemma cosh_pos x : 0 < cosh x.
Proof. unfold cosh. pose proof (exp_pos x). pose proof (exp_pos (- x)). lra. Qed.
Lemma cosh_mono x y : 0 <= x -> x <= y -> cosh x <= cosh y.
Proof.
  intros X L. apply (monotone_of cosh sinh); auto.
  - intros. apply derivable_pt_lim_cosh.
  - intros. apply sinh_pos. lra.
Qed.
(* derivatives, of functions that are written out *)
Lemma lim_scal a f x l : derivable_pt_lim f x l -> derivable_pt_lim (fun y => a * f y) x (a * l).
Proof. exact (derivable_pt_lim_scal f a x l). Qed.
Lemma lim_minus f g x l m : derivable_pt_lim f x l -> derivable_pt_lim g x m -> derivable_pt_lim (fun y => f y - g y) x (l - m).
Proof. exact (derivable_pt_lim_minus f g x l m). Qed.
Lemma lim_mult f g x l m : derivable_pt_lim f x l -> derivable_pt_lim g x m -> derivable_pt_lim (fun y => f y * g y) x (l * g x + f x * m).
Proof. exact (derivable_pt_lim_mult f g x l m). Qed.
Lemma lim_comp f g x l m : derivable_pt_lim f x l -> derivable_pt_lim g (f x) m -> derivable_pt_lim (fun y => g (f y)) x (m * l).
Proof. exact (derivable_pt_lim_comp f g x l m). Qed.
Lemma scaled_lim (f f' : R -> R) a x : (forall y, derivable_pt_lim f y (f' y)) -> derivable_pt_lim (fun y => f (a * y)) x (a * f' (a * x)).
Proof.
  intros D. replace (a * f' (a * x)) with (f' (a * x) * (a * 1)) by ring.
  apply (lim_comp (fun y => a * y) f); [|apply D]. exact (lim_scal a id x 1 (derivable_pt_lim_id x)).
Qed.
Lemma sinh_ratio m n x : 0 <= m -> m <= n -> 0 <= x -> n * sinh (m * x) <= m * sinh (n * x).
Proof.
  intros M L X. cut (m * sinh (n * 0) - n * sinh (m * 0) <= m * sinh (n * x) - n * sinh (m * x)).
  { rewrite !Rmult_0_r. replace (sinh 0) with 0 by (unfold sinh; rewrite Ropp_0; lra). lra. }
  apply (monotone_of (fun x => m * sinh (n * x) - n * sinh (m * x)) (fun x => m * (n * cosh (n * x)) - n * (m * cosh (m * x)))); auto.
  - intros c _. apply (lim_minus (fun x => m * sinh (n * x)) (fun x => n * sinh (m * x)));
      [apply (lim_scal m (fun y => sinh (n * y))) | apply (lim_scal n (fun y => sinh (m * y)))];
      apply (scaled_lim sinh cosh); apply derivable_pt_lim_sinh.
  - intros c C. pose proof (cosh_mono (m * c) (n * c) ltac:(nra) ltac:(nra)). assert (0 <= m * n) by nra. nra.
Qed.
Lemma sinh_cosh t x : 1 <= t -> 0 <= x -> sinh (t * x) * cosh x <= t * (sinh x * cosh (t * x)).
Proof.
  intros T X. pose proof (sinh_ratio (t - 1) (t + 1) x ltac:(lra) ltac:(lra) X) as H.
  assert (A : sinh ((t + 1) * x) = sinh (t * x) * cosh x + cosh (t * x) * sinh x).
  { unfold sinh, cosh. replace ((t + 1) * x) with (t * x + x) by ring. replace (- (t * x + x)) with (- (t * x) + - x) by ring.
    rewrite !exp_plus. field. }
  assert (B : sinh ((t - 1) * x) = sinh (t * x) * cosh x - cosh (t * x) * sinh x).
  { unfold sinh, cosh. replace ((t - 1) * x) with (t * x + - x) by ring. replace (- (t * x + - x)) with (- (t * x) + x) by ring.
    rewrite !exp_plus. field. }
  rewrite A, B in H. lra.
Qed.
Lemma cosh_growth t x : 1 <= t -> 0 <= x -> cosh (t * x) <= exp ((t * t - 1) / 2 * (x * tanh x)) * cosh x.
Proof.
  intros T X. set (c := x * tanh x).
  set (f := fun t => - (cosh (t * x) * exp (- ((t * t - 1) / 2 * c)))).
  set (f' := fun t => - (x * sinh (t * x) * exp (- ((t * t - 1) / 2 * c)) + cosh (t * x) * (exp (- ((t * t - 1) / 2 * c)) * - (t * c)))).
  assert (H : f 1 <= f t).
  { apply (monotone_of f f'); auto.
    - intros u _. replace (f' u) with (-1 * (x * sinh (u * x) * exp (- ((u * u - 1) / 2 * c)) + cosh (u * x) * (exp (- ((u * u - 1) / 2 * c)) * - (u * c))))
        by (unfold f'; ring).
      replace f with (fun t => -1 * (cosh (x * t) * exp (- ((t * t - 1) / 2 * c)))).
      2: { apply functional_extensionality. intro v. unfold f. rewrite (Rmult_comm v x). ring. }
      apply (lim_scal (-1) (fun t => cosh (x * t) * exp (- ((t * t - 1) / 2 * c)))).
      rewrite (Rmult_comm u x).
      apply (lim_mult (fun t => cosh (x * t)) (fun t => exp (- ((t * t - 1) / 2 * c)))).
      + apply (scaled_lim cosh sinh). apply derivable_pt_lim_cosh.
      + apply (lim_comp (fun t => - ((t * t - 1) / 2 * c)) exp); [|apply derivable_pt_lim_exp].
        replace (fun t => - ((t * t - 1) / 2 * c)) with (fun t => (- (c / 2)) * (t * t) - - (c / 2))
          by (apply functional_extensionality; intro; field).
        replace (- (u * c)) with (- (c / 2) * (1 * u + u * 1) - 0) by field.
        apply (lim_minus (fun t => - (c / 2) * (t * t)) (fun _ => - (c / 2))); [|apply derivable_pt_lim_const].
        apply (lim_scal _ (fun t => t * t)). apply (lim_mult (fun t => t) (fun t => t)); apply derivable_pt_lim_id.
    - intros u U. unfold f'. pose proof (exp_pos (- ((u * u - 1) / 2 * c))) as P.
      assert (x * sinh (u * x) <= u * c * cosh (u * x)); [|nra].
      unfold c, tanh. pose proof (sinh_cosh u x ltac:(lra) X) as K. pose proof (cosh_pos x) as C.
      apply Rmult_le_reg_r with (cosh x); [assumption|].
      replace (u * (x * (sinh x / cosh x)) * cosh (u * x) * cosh x) with (x * (u * (sinh x * cosh (u * x)))) by (field; lra).
      nra. }
  unfold f in H. replace ((1 * 1 - 1) / 2 * c) with 0 in H by field. rewrite Ropp_0, exp_0, Rmult_1_l in H.
  set (a := (t * t - 1) / 2 * c) in *. assert (I : exp a * exp (- a) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  pose proof (exp_pos a). replace (cosh (t * x)) with (exp a * (cosh (t * x) * exp (- a))) by (rewrite (Rmult_comm (cosh _)), <- Rmult_assoc, I; ring).
  apply Rmult_le_compat_l; lra.
Qed.

Definition half_loss (eps : R) : R := eps * tanh (eps / 2).
(* the sum of (p/q)^a q over the two outputs *)
Lemma two_outputs eps a : 0 <= eps -> 1 < a ->
  weight eps * exp (eps * a) + exp eps * weight eps * exp (- (eps * a)) <= exp (a * (a - 1) * half_loss eps).
Proof.
  intros P A. set (x := eps / 2). pose proof (cosh_growth (2 * a - 1) x ltac:(lra) ltac:(unfold x; lra)) as H.
  replace (((2 * a - 1) * (2 * a - 1) - 1) / 2 * (x * tanh x)) with (a * (a - 1) * half_loss eps) in H
    by (unfold half_loss; fold x; unfold x; field).
  pose proof (cosh_pos x) as C. apply Rmult_le_reg_r with (cosh x); [assumption|].
  apply Rle_trans with (cosh ((2 * a - 1) * x)); [right | exact H].
  assert (W : weight eps * (1 + exp eps) = 1) by (unfold weight; pose proof (exp_pos eps); field; lra).
  assert (D : exp (- x) * (1 + exp eps) = 2 * cosh x).
  { unfold cosh. rewrite Rmult_plus_distr_l, <- exp_plus. replace (- x + eps) with x by (unfold x; lra). field. }
  assert (Q : weight eps * (2 * cosh x) = exp (- x)).
  { rewrite <- D. transitivity (weight eps * (1 + exp eps) * exp (- x)); [ring | rewrite W; ring]. }
  transitivity (/ 2 * (exp (eps * a) + exp eps * exp (- (eps * a))) * (weight eps * (2 * cosh x))); [field|].
  rewrite Q. unfold cosh. transitivity (/ 2 * (exp (eps * a) * exp (- x) + exp eps * exp (- (eps * a)) * exp (- x))); [field|].
  rewrite <- !exp_plus. replace (eps * a + - x) with ((2 * a - 1) * x) by (unfold x; field).
  replace (eps + - (eps * a) + - x) with (- ((2 * a - 1) * x)) by (unfold x; field). field.
Qed.
Definition mix {O} (w : R) (a b : O) (W : 0 <= w <= 1) : pm O.
Proof.
  refine (PM (fun f => w * f a + (1 - w) * f b) _ _ _ _).
  - intros f g _ _ L. pose proof (L a). pose proof (L b). nra.
  - intros. ring.
  - intros. ring.
  - ring.
Defined.
(* Hoelder's inequality for two numbers: weights u and v, factors e^c and e^-c *)
Lemma hoelder_two u v c a b s : 0 < u -> 0 < v -> 1 < s -> 0 <= a -> 0 <= b ->
  u * exp c * a + v * exp (- c) * b <=
  pw (u * exp (s / (s - 1) * c) + v * exp (- (s / (s - 1) * c))) (1 - / s) * pw (u * pw a s + v * pw b s) (/ s).
Proof.
  intros U V S A B. set (t := s / (s - 1)).
  assert (Ts : t * (s - 1) = s) by (unfold t; field; lra).
  set (w1 := u * exp (t * c)). set (w2 := v * exp (- (t * c))). set (Z := w1 + w2).
  assert (W1 : 0 < w1) by (apply Rmult_lt_0_compat; [assumption | apply exp_pos]).
  assert (W2 : 0 < w2) by (apply Rmult_lt_0_compat; [assumption | apply exp_pos]).
  assert (Zp : 0 < Z) by (unfold Z; lra).
  assert (W : 0 <= w1 / Z <= 1).
  { split; [apply Rlt_le, Rdiv_lt_0_compat; assumption|]. apply Rmult_le_reg_r with Z; [assumption|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. unfold Z. lra. }
  set (g := fun o : bool => if o then exp ((1 - t) * c) * a else exp (- ((1 - t) * c)) * b).
  assert (G : nonneg g).
  { assert (P : forall o, 0 <= g o) by (intro o; unfold g; destruct o; apply Rmult_le_pos; auto; left; apply exp_pos).
    split; [|exact P]. apply bounded_between with 0 (g true + g false). intro o. pose proof (P true). pose proof (P false). destruct o; lra. }
  pose proof (power_mean _ (mix (w1 / Z) true false W) g s S G) as H. cbn in H.
  assert (second : 1 - w1 / Z = w2 / Z) by (unfold Z; field; lra). rewrite second in H.
  apply (Rmult_le_compat_l Z) in H; [|lra].
  replace (Z * (w1 / Z * (exp ((1 - t) * c) * a) + w2 / Z * (exp (- ((1 - t) * c)) * b)))
    with (u * (exp (t * c) * exp ((1 - t) * c)) * a + v * (exp (- (t * c)) * exp (- ((1 - t) * c))) * b) in H by (unfold w1, w2; field; lra).
  rewrite <- !exp_plus in H. replace (t * c + (1 - t) * c) with c in H by ring.
  replace (- (t * c) + - ((1 - t) * c)) with (- c) in H by ring.
  eapply Rle_trans; [exact H|]. right.
  rewrite !pw_mult, !pw_exp by apply exp_pos.
  replace (w1 / Z * (exp ((1 - t) * c * s) * pw a s) + w2 / Z * (exp (- ((1 - t) * c) * s) * pw b s)) with
    (/ Z * (u * (exp (t * c) * exp ((1 - t) * c * s)) * pw a s + v * (exp (- (t * c)) * exp (- ((1 - t) * c) * s)) * pw b s))
    by (unfold w1, w2; field; lra).
  rewrite <- !exp_plus. replace (t * c + (1 - t) * c * s) with ((s - t * (s - 1)) * c) by ring.
  replace (- (t * c) + - ((1 - t) * c) * s) with (- ((s - t * (s - 1)) * c)) by ring. rewrite Ts.
  replace ((s - s) * c) with 0 by ring. rewrite Ropp_0, exp_0, !Rmult_1_r.
  rewrite pw_mult by now apply Rinv_0_lt_compat. rewrite <- Rmult_assoc. f_equal.
  rewrite <- (pw_one Z) at 1 by lra. unfold pw. pose proof (Rinv_0_lt_compat Z Zp).
  destruct (dec (0 < Z)); [|lra]. destruct (dec (0 < / Z)); [|lra]. rewrite <- exp_plus, ln_Rinv by assumption. f_equal. ring.
Qed.

(* ---- eps-DP in both directions is zCDP with eps tanh (eps / 2) ---- *)
Theorem zcdp_tanh_of_pure O eps (p q : pm O) : 0 <= eps -> rel pure eps p q -> rel pure eps q p ->
  rel zcdp (half_loss eps) p q.
Proof.
  cbn. intros P H K s g S G. destruct (Req_dec eps 0) as [->|nz].
  - assert (e : forall f, nonneg f -> E p f <= E q f).
    { intros f F. pose proof (ind_nonneg O 0 p q f H F). rewrite exp_0 in *. lra. }
    assert (e' : forall f, nonneg f -> E q f <= E p f).
    { intros f F. pose proof (ind_nonneg O 0 q p f K F). rewrite exp_0 in *. lra. }
    unfold half_loss. replace (0 * tanh (0 / 2) / (s - 1)) with 0 by (field; lra). rewrite exp_0, Rmult_1_l.
    eapply Rle_trans; [now apply e|]. now apply power_mean.
  - destruct (mixtures O eps p q ltac:(lra) H K) as (A & B & M). pose proof (weight_pos eps) as W.
    pose proof (exp_pos eps) as X. pose proof (nonneg_pw _ g s ltac:(lra) G) as Gs.
    destruct (M g (proj1 G)) as (-> & _). destruct (M _ (proj1 Gs)) as (_ & ->).
    set (a := E A g). set (b := E B g). assert (0 <= a) by now apply nonneg_E. assert (0 <= b) by now apply nonneg_E.
    set (x := weight eps). set (y := exp eps * weight eps). fold x in W. assert (Y : 0 < y) by (unfold y; now apply Rmult_lt_0_compat).
    assert (I : 0 < / s) by (apply Rinv_0_lt_compat; lra). assert (J : / s < 1).
    { rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
    pose proof (hoelder_two x y eps a b s W Y S H0 H1) as L.
    replace (x * exp eps) with y in L by (unfold x, y; ring).
    replace (y * exp (- eps)) with x in L.
    2: { unfold y. fold x. rewrite (Rmult_comm (exp eps)), Rmult_assoc, <- exp_plus, Rplus_opp_r, exp_0. ring. }
    eapply Rle_trans; [exact L|].
    apply Rmult_le_compat; try apply pw_pos.
    + apply Rle_trans with (pw (exp (s / (s - 1) * (s / (s - 1) - 1) * half_loss eps)) (1 - / s)).
      * apply pw_mono; [lra|].
        replace (s / (s - 1) * eps) with (eps * (s / (s - 1))) by ring.
        apply two_outputs; [assumption|]. apply Rmult_lt_reg_r with (s - 1); [lra|].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
      * rewrite pw_exp. right. f_equal. field. lra.
    + apply pw_mono; [lra|]. change (exp eps * x) with y. apply Rplus_le_compat; apply Rmult_le_compat_l; try lra.
      * assert (Q : pw (E A g) s <= pw (pw (E A (fun o => pw (g o) s)) (/ s)) s) by (apply pw_mono; [lra | now apply power_mean]).
        rewrite pw_pw, Rinv_l, pw_one in Q; [exact Q | now apply nonneg_E | lra].
      * assert (Q : pw (E B g) s <= pw (pw (E B (fun o => pw (g o) s)) (/ s)) s) by (apply pw_mono; [lra | now apply power_mean]).
        rewrite pw_pw, Rinv_l, pw_one in Q; [exact Q | now apply nonneg_E | lra].
Qed.

(* ... which is at most eps^2 / 2, as published (Bun and Steinke 2016) *)
Lemma half_loss_le eps : 0 <= eps -> half_loss eps <= eps * eps / 2.
Proof.
  intros P. set (x := eps / 2). assert (X : 0 <= x) by (unfold x; lra).
  assert (H : 0 * cosh 0 - sinh 0 <= x * cosh x - sinh x).
  { apply (monotone_of (fun x => x * cosh x - sinh x) (fun x => 1 * cosh x + x * sinh x - cosh x)); auto.
    - intros c _. apply (lim_minus (fun x => x * cosh x) sinh); [|apply derivable_pt_lim_sinh].
      apply (lim_mult (fun x => x) cosh); [apply derivable_pt_lim_id | apply derivable_pt_lim_cosh].
    - intros c C. pose proof (sinh_pos c ltac:(lra)). nra. }
  unfold sinh at 1 in H. rewrite Ropp_0, exp_0 in H. unfold half_loss. fold x.
  assert (T : tanh x <= x); [|unfold x in *; nra].
  unfold tanh. pose proof (cosh_pos x). apply Rmult_le_reg_r with (cosh x); [assumption|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Theorem zcdp_half_square_of_pure O eps (p q : pm O) : 0 <= eps -> rel pure eps p q -> rel pure eps q p ->
  rel zcdp (eps * eps / 2) p q.
Proof. intros P H K. eapply rel_up; [now apply half_loss_le | now apply zcdp_tanh_of_pure]. Qed.

(* ---- zCDP is (eps, delta) at each order a, and so at the best of them ---- *)
Definition at_order (rho delta a : R) : R := rho * a + ln (1 - / a) - ln (delta * a) / (a - 1).
Lemma two_means x y b : 0 < y -> 0 <= x -> 0 < b < 1 -> pw x b * exp ((1 - b) * ln y) <= b * x + (1 - b) * y.
Proof.
  intros Y X B. unfold pw. destruct (dec (0 < x)) as [P|N]; [|nra].
  rewrite <- exp_plus. set (l := ln x). set (k := ln y). set (m := b * l + (1 - b) * k).
  rewrite <- (exp_ln x P), <- (exp_ln y Y). fold l k.
  assert (A : forall z, exp m * (1 + (z - m)) <= exp z).
  { intro z. replace z with (m + (z - m)) at 2 by ring. rewrite exp_plus.
    apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_ineq1_le]. }
  pose proof (A l). pose proof (A k). assert (b * (l - m) + (1 - b) * (k - m) = 0) by (unfold m; ring).
  apply Rle_trans with (b * (exp m * (1 + (l - m))) + (1 - b) * (exp m * (1 + (k - m)))); [|nra].
  right. transitivity (exp m * (1 + (b * (l - m) + (1 - b) * (k - m)))); [rewrite H1|]; ring.
Qed.
Lemma approximate_at_order O rho delta a (p q : pm O) : 0 < delta -> 1 < a -> rel zcdp rho p q -> ind (at_order rho delta a) delta p q.
Proof.
  cbn. intros D A H g T. set (eps := at_order rho delta a).
  assert (G : nonneg g) by (split; [auto with bounded | apply T]).
  set (s := a / (a - 1)). assert (S : 1 < s).
  { unfold s. apply Rmult_lt_reg_r with (a - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  specialize (H s g S G). replace (rho / (s - 1)) with (rho * (a - 1)) in H by (unfold s; field; lra).
  set (b := / s) in *. assert (B : b = (a - 1) / a) by (unfold b, s; field; lra).
  assert (I : 0 < / a < 1).
  { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  assert (B1 : b = 1 - / a) by (rewrite B; field; lra).
  set (y := E q (fun o => pw (g o) s)) in *.
  assert (Gs := nonneg_pw _ g s ltac:(lra) G). assert (0 <= y) by now apply nonneg_E.
  assert (Y : y <= E q g).
  { apply E_mono; [apply Gs | apply G|]. intro o. destruct (T o) as (L & M). unfold pw. destruct (dec (0 < g o)) as [P|]; [|assumption].
    rewrite <- (exp_ln (g o) P) at 2. apply exp_le. assert (ln (g o) <= 0); [|nra].
    destruct M as [M|M]; [|rewrite M, ln_1; lra]. left. rewrite <- ln_1. now apply ln_increasing. }
  (* the tangent at k: exp (rho (a - 1)) y^b <= exp eps y + delta *)
  set (k := delta * exp (- eps) * (a - 1)).
  assert (K : 0 < k) by (unfold k; pose proof (exp_pos (- eps)); repeat apply Rmult_lt_0_compat; lra).
  pose proof (two_means y k b K H0 ltac:(lra)) as M.
  assert (lnk : ln k = ln delta - eps + ln (a - 1)).
  { unfold k. pose proof (exp_pos (- eps)). rewrite !ln_mult, ln_exp; try lra. now apply Rmult_lt_0_compat. }
  assert (e : exp (rho * (a - 1)) * b = exp eps * exp ((1 - b) * ln k)).
  { rewrite B1. replace (1 - (1 - / a)) with (/ a) by ring. rewrite <- (exp_ln (1 - / a)) by lra. rewrite <- !exp_plus. f_equal. rewrite lnk.
    assert (l : ln (1 - / a) = ln (a - 1) - ln a).
    { replace (1 - / a) with ((a - 1) * / a) by (field; lra). rewrite ln_mult, ln_Rinv by lra. ring. }
    rewrite l. unfold eps, at_order. rewrite l, ln_mult by lra. field. lra. }
  assert (M' : exp (rho * (a - 1)) * b * pw y b <= exp eps * (b * y + (1 - b) * k)).
  { rewrite e, Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos | lra]. }
  assert (z : exp eps * ((1 - b) * k) = b * delta).
  { unfold k. assert (exp eps * exp (- eps) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    transitivity ((1 - b) * (a - 1) * delta * (exp eps * exp (- eps))); [ring|]. rewrite H1, B1. field. lra. }
  assert (b * (exp (rho * (a - 1)) * pw y b) <= b * (exp eps * y + delta)) by nra.
  apply Rmult_le_reg_l in H1; [|lra]. pose proof (exp_pos eps). nra.
Qed.
Theorem approximate_of_zcdp_at_best_order O rho delta eps (p q : pm O) : 0 < delta -> rel zcdp rho p q ->
  (forall e, eps < e -> exists a, 1 < a /\ at_order rho delta a <= e) -> ind eps delta p q.
Proof.
  intros D H best g T. pose proof (E_test _ q g T) as Q. apply Rnot_lt_le. intro N.
  set (gap := E p g - (exp eps * E q g + delta)). assert (P : 0 < gap) by (unfold gap; lra).
  pose proof (exp_pos eps) as X. set (t := ln (1 + gap / exp eps)).
  assert (R : 0 < gap / exp eps) by now apply Rdiv_lt_0_compat.
  assert (t_pos : 0 < t) by (unfold t; rewrite <- ln_1; apply ln_increasing; lra).
  destruct (best (eps + t / 2) ltac:(lra)) as (a & A & L).
  pose proof (ind_weaken _ _ _ _ _ _ _ L (Rle_refl delta) (approximate_at_order O rho delta a p q D A H) g T) as Z.
  assert (exp (eps + t / 2) < exp eps + gap).
  { apply Rlt_le_trans with (exp (eps + t)); [apply exp_increasing; lra|]. rewrite exp_plus. unfold t.
    rewrite exp_ln by lra. right. field. lra. }
  pose proof (exp_increasing eps (eps + t / 2) ltac:(lra)).
  assert ((exp (eps + t / 2) - exp eps) * E q g <= exp (eps + t / 2) - exp eps) by nra. unfold gap in *. lra.
Qed.
(* ... as published (Bun and Steinke 2016) *)
Theorem approximate_of_zcdp O rho delta (p q : pm O) : 0 < rho -> 0 < delta < 1 -> rel zcdp rho p q ->
  ind (rho + 2 * sqrt (rho * ln (1 / delta))) delta p q.
Proof.
  intros P D H. assert (L : 0 < ln (1 / delta)).
  { rewrite <- ln_1. apply ln_increasing; [lra|]. unfold Rdiv. rewrite Rmult_1_l, <- Rinv_1. apply Rinv_lt_contravar; lra. }
  set (l := ln (1 / delta)) in *. assert (ln delta = - l) by (unfold l, Rdiv; rewrite Rmult_1_l, ln_Rinv by lra; ring).
  set (w := sqrt (rho * l)). assert (W : w * w = rho * l) by (apply sqrt_sqrt; nra).
  assert (0 < w) by (apply sqrt_lt_R0; nra).
  set (a := 1 + w / rho). assert (A : 1 < a) by (unfold a; pose proof (Rdiv_lt_0_compat w rho); lra).
  apply (ind_weaken _ (at_order rho delta a) _ delta _ p q); [|lra | apply approximate_at_order; lra || assumption].
  unfold at_order. rewrite ln_mult by lra. rewrite H0.
  assert (ln (1 - / a) <= 0).
  { assert (0 < / a < 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
    left. rewrite <- ln_1. apply ln_increasing; lra. }
  assert (0 < ln a) by (rewrite <- ln_1; apply ln_increasing; lra).
  replace (a - 1) with (w / rho) by (unfold a; ring).
  assert (0 < rho / w) by (apply Rdiv_lt_0_compat; assumption).
  replace ((- l + ln a) / (w / rho)) with (- (rho * l / w) + ln a * (rho / w)) by (field; lra). rewrite <- W.
  replace (w * w / w) with w by (field; lra). replace (rho * a) with (rho + w) by (unfold a; field; lra). nra.
Qed.
