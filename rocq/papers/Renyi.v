(* Renyi divergences.  Notions.v has zCDP in a form without densities; here is what that says of laws on
   finitely many outcomes, and what holds of all orders: triangles, and the order infinity. *)
From Coq Require Import Reals Lra Lia List Classical.
From Dpcomp Require Import Measure Notions Compose Guarantees.
Import ListNotations.
Open Scope R_scope.

(* a law on the outcomes of a list *)
Definition law {O} (l : list O) (w : O -> R) (P : forall o, In o l -> 0 <= w o) (one : sum l w = 1) : pm O.
Proof.
  refine (PM (fun f => sum l (fun o => w o * f o)) _ _ _ _).
  - intros f g _ _ H. apply sum_le. intros o J. apply Rmult_le_compat_l; auto.
  - intros f g _ _. rewrite <- sum_plus. apply sum_eq. intros; ring.
  - intros a f _. rewrite <- sum_mult. apply sum_eq. intros; ring.
  - rewrite (sum_eq _ l _ w); [exact one | intros; ring].
Defined.
(* D_a(P | Q) <= c, of densities: the moment of order a is at most e^((a-1) c) *)
Definition moment {O} (l : list O) (p q : O -> R) (a : R) := sum l (fun o => pw (p o) a * pw (q o) (1 - a)).


Section Means.
Variables (O : Type) (l : list O) (p q : O -> R).
Hypothesis p_pos : forall o, In o l -> 0 <= p o.
Hypothesis q_pos : forall o, In o l -> 0 < q o.
Hypothesis p_one : sum l p = 1.
Hypothesis q_one : sum l q = 1.
Let q_pos' : forall o, In o l -> 0 <= q o. Proof. intros o J. specialize (q_pos o J). lra. Qed.
Let P := law l p p_pos p_one.
Let Q := law l q q_pos' q_one.

Lemma moment_pos a : 0 < moment l p q a.
Proof.
  unfold moment. assert (N : forall k, (forall o, In o k -> In o l) -> 0 < sum k p -> 0 < sum k (fun o => pw (p o) a * pw (q o) (1 - a))).
  { induction k as [|o k IH]; cbn; intros S H; [lra|].
    assert (A : 0 <= sum k (fun o => pw (p o) a * pw (q o) (1 - a))) by (apply sum_pos; intros; apply Rmult_le_pos; apply pw_pos).
    destruct (Rle_lt_or_eq_dec 0 (p o) (p_pos o (S o (or_introl eq_refl)))) as [L|e].
    - assert (0 < pw (p o) a * pw (q o) (1 - a)); [|lra]. apply Rmult_lt_0_compat; apply pw_positive; auto.
    - assert (0 < sum k (fun o => pw (p o) a * pw (q o) (1 - a))); [apply IH; [auto | lra]|].
      assert (0 <= pw (p o) a * pw (q o) (1 - a)) by (apply Rmult_le_pos; apply pw_pos). lra. }
  apply N; auto. rewrite p_one. lra.
Qed.
Theorem VI_9_means a c : 1 < a -> (renyi a c P Q <-> moment l p q a <= exp ((a - 1) * c)).
Proof.
  intros A. assert (Ap : 0 < a - 1) by lra. set (s := a / (a - 1)). set (t := (a - 1) / a).
  assert (S : 1 < s) by (unfold s; apply Rmult_lt_reg_r with (a - 1); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (T : t = / s) by (unfold s, t; field; lra).
  assert (T' : 1 - / s = / a) by (unfold s; field; lra).
  set (m := fun o => pw (p o) (a - 1) * pw (q o) (- (a - 1))).
  assert (Mm : moment l p q a = sum l (fun o => p o * m o)).
  { apply sum_eq. intros o J. unfold m. destruct (Rle_lt_or_eq_dec 0 (p o) (p_pos o J)) as [L|e].
    - replace a with (1 + (a - 1)) at 1 by ring. rewrite pw_add, pw_one by (assumption || lra).
      replace (1 - a) with (- (a - 1)) by ring. ring.
    - rewrite <- e, !pw_zero by lra. ring. }
  assert (Ms : moment l p q a = sum l (fun o => q o * pw (m o) s)).
  { apply sum_eq. intros o J. unfold m. destruct (Rle_lt_or_eq_dec 0 (p o) (p_pos o J)) as [L|e].
    - rewrite pw_mult, !pw_pw by now apply pw_positive.
      replace ((a - 1) * s) with a by (unfold s; field; lra). replace (- (a - 1) * s) with (- a) by (unfold s; field; lra).
      replace (1 - a) with (1 + - a) by ring. rewrite (pw_add (q o)), (pw_one (q o)) by auto. ring.
    - rewrite <- e, (pw_zero 0 a), (pw_zero 0 (a - 1)), !Rmult_0_l, (pw_zero 0 s) by lra. ring. }
  pose proof (moment_pos a) as Pos. split.
  - (* the means of the (a-1)-th power of the ratio *)
    intros H. assert (Mb : bounded (fun o => if dec (In o l) then m o else 0) /\ forall o, 0 <= (if dec (In o l) then m o else 0)).
    { split.
      - exists (sum l m). intros o. assert (Z : forall o, 0 <= m o) by (intro; apply Rmult_le_pos; apply pw_pos).
        assert (Y : forall k o, In o k -> m o <= sum k m).
        { induction k as [|b k IH]; cbn; intros x J; [destruct J|]. assert (0 <= sum k m) by (apply sum_pos; auto).
          destruct J as [->|J]; [lra|]. specialize (IH x J). specialize (Z b). lra. }
        destruct dec as [J|_]; [rewrite Rabs_right by (specialize (Z o); lra); now apply Y|].
        rewrite Rabs_R0. apply sum_pos. auto.
      - intros o. destruct dec; [apply Rmult_le_pos; apply pw_pos | lra]. }
    specialize (H _ Mb). fold s in H. fold t in H. cbn in H.
    rewrite (sum_eq _ l _ (fun o => p o * m o)) in H by (intros o J; destruct dec; [reflexivity | contradiction]).
    rewrite (sum_eq _ l (fun o => q o * pw (if dec (In o l) then m o else 0) s) (fun o => q o * pw (m o) s)) in H by (intros o J; destruct dec; [reflexivity | contradiction]).
    rewrite <- Mm, <- Ms in H. set (M := moment l p q a) in *.
    assert (K : pw M (/ a) <= exp (t * c)).
    { apply Rmult_le_reg_r with (pw M t); [now apply pw_positive|].
      rewrite <- pw_add by assumption. replace (/ a + t) with 1 by (rewrite T, <- T'; ring). rewrite pw_one by lra. exact H. }
    apply (pw_mono _ _ a) in K; [|lra]. rewrite pw_pw, Rinv_l, pw_one, pw_exp in K by lra.
    replace ((a - 1) * c) with (t * c * a) by (unfold t; field; lra). exact K.
  - intros H g (B & G). fold s. fold t. cbn. set (M := moment l p q a) in *.
    set (F := sum l (fun o => q o * pw (g o) s)).
    assert (Fp : 0 <= F) by (apply sum_pos; intros o J; apply Rmult_le_pos; [auto | apply pw_pos]).
    (* for every k > 0 *)
    assert (Y : forall k, 0 < k -> sum l (fun o => p o * g o) <= / s * pw k (1 - s) * F + (1 - / s) * k * M).
    { intros k K. unfold F. rewrite Mm. rewrite <- !sum_mult, <- sum_plus. apply sum_le. intros o J.
      destruct (Rle_lt_or_eq_dec 0 (p o) (p_pos o J)) as [L|e].
      - assert (Mo : 0 < m o) by (apply Rmult_lt_0_compat; apply pw_positive; auto).
        assert (Q1 : p o * pw (m o) (1 - s) = q o).
        { unfold m. rewrite pw_mult, !pw_pw by now apply pw_positive.
          replace ((a - 1) * (1 - s)) with (- (1)) by (unfold s; field; lra).
          replace (- (a - 1) * (1 - s)) with 1 by (unfold s; field; lra). rewrite (pw_one (q o)) by auto.
          rewrite <- Rmult_assoc. rewrite <- (pw_one (p o)) at 1 by lra. rewrite <- pw_add by assumption.
          replace (1 + - (1)) with 0 by ring. rewrite pw_pos_value, Rmult_0_l, exp_0 by assumption. ring. }
        pose proof (tangent (g o) (k * m o) s (G o) ltac:(nra) S) as X.
        replace (exp ((1 - s) * ln (k * m o))) with (pw k (1 - s) * pw (m o) (1 - s)) in X
          by (rewrite <- pw_mult, pw_pos_value by nra; reflexivity).
        apply (Rmult_le_compat_l (p o)) in X; [|lra]. eapply Rle_trans; [exact X|]. right. rewrite <- Q1. ring.
      - rewrite <- e. assert (0 <= / s * pw k (1 - s) * (q o * pw (g o) s)); [|lra].
        repeat apply Rmult_le_pos; try apply pw_pos; auto. left. apply Rinv_0_lt_compat. lra. }
    assert (Z : sum l (fun o => p o * g o) <= pw F (/ s) * pw M (/ a)).
    { apply le_epsilon. intros eps E0.
      (* F + d with d > 0 in the place of F, which may be 0 *)
      assert (C : exists d, 0 < d /\ pw (F + d) (/ s) * pw M (/ a) <= pw F (/ s) * pw M (/ a) + eps).
      { assert (X : 0 < pw M (/ a)) by now apply pw_positive.
        set (y := pw F (/ s) + eps / pw M (/ a)). assert (Y0 : 0 < eps / pw M (/ a)) by (apply Rdiv_lt_0_compat; lra).
        assert (Yp : 0 < y) by (unfold y; pose proof (pw_pos F (/ s)); lra).
        assert (L : F < pw y s).
        { destruct (Rle_lt_or_eq_dec 0 F Fp) as [f|f].
          - rewrite <- (pw_one F) at 1 by lra. replace 1 with (/ s * s) at 1 by (apply Rinv_l; lra). rewrite <- pw_pw.
            assert (0 < pw F (/ s)) by now apply pw_positive. rewrite (pw_pos_value (pw F (/ s)) s), (pw_pos_value y s) by assumption. apply exp_increasing.
            apply Rmult_lt_compat_l; [lra|]. apply ln_increasing; [assumption | unfold y; lra].
          - rewrite <- f. now apply pw_positive. }
        exists (pw y s - F). split; [lra|]. replace (F + (pw y s - F)) with (pw y s) by ring.
        rewrite pw_pw, Rinv_r, pw_one by lra. unfold y. right. field. lra. }
      destruct C as (d & D & C). eapply Rle_trans; [|exact C]. set (F' := F + d). assert (F0 : 0 < F') by (unfold F'; lra).
      set (k := pw F' (/ s) * pw M (- / s)). assert (K : 0 < k) by (apply Rmult_lt_0_compat; now apply pw_positive).
      eapply Rle_trans; [apply (Y k K)|].
      apply Rle_trans with (/ s * pw k (1 - s) * F' + (1 - / s) * k * M).
      - apply Rplus_le_compat_r. apply Rmult_le_compat_l; [|unfold F'; lra].
        apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra | apply pw_pos].
      - right. unfold k. rewrite pw_mult, !pw_pw by now apply pw_positive.
        assert (E1 : pw F' (/ s * (1 - s)) * F' = pw F' (/ s)).
        { rewrite <- (pw_one F') at 2 by lra. rewrite <- pw_add by assumption. f_equal. field. lra. }
        assert (E2 : pw M (- / s * (1 - s)) = pw M (/ a)).
        { f_equal. rewrite <- T'. field. lra. }
        assert (E3 : pw M (- / s) * M = pw M (/ a)).
        { rewrite <- (pw_one M) at 2 by lra. rewrite <- pw_add by assumption. f_equal. rewrite <- T'. ring. }
        replace (/ s * (pw F' (/ s * (1 - s)) * pw M (- / s * (1 - s))) * F')
          with (/ s * (pw F' (/ s * (1 - s)) * F') * pw M (- / s * (1 - s))) by ring.
        replace ((1 - / s) * (pw F' (/ s) * pw M (- / s)) * M) with ((1 - / s) * pw F' (/ s) * (pw M (- / s) * M)) by ring.
        rewrite E1, E2, E3. ring. }
    eapply Rle_trans; [exact Z|]. rewrite T, Rmult_comm. apply Rmult_le_compat_r; [apply pw_pos|].
    apply (pw_mono _ _ (/ a)) in H; [|left; apply Rinv_0_lt_compat; lra]. rewrite pw_exp in H.
    replace (/ s * c) with ((a - 1) * c * / a) by (unfold s; field; lra). exact H.
Qed.
(* VI.10: the notion of Notions.v is that all moments are at most those of the normal law *)
Theorem VI_10_means rho : zrel rho P Q <-> forall a, 1 < a -> moment l p q a <= exp ((a - 1) * (rho * a)).
Proof.
  change (zrel rho P Q) with (rel zcdp rho P Q). rewrite zcdp_of_renyi.
  split; intros H a A; [apply VI_9_means; auto | apply (VI_9_means a (rho * a) A); auto].
Qed.
End Means.

(* VI.9: triangles of all orders *)
Theorem VI_9_triangle O (p q r : pm O) a b c d : 1 < a -> 1 < b ->
  renyi (b * a) c p r -> renyi ((b * a - 1) / (b - 1)) d r q -> renyi a ((a - / b) / (a - 1) * c + d) p q.
Proof. apply renyi_triangle. Qed.
(* VI.11: the order infinity *)
Theorem VI_11_infinity O (p q : pm O) c : ind c 0 p q <-> forall a, 1 < a -> renyi a c p q.
Proof.
  split.
  - intros H a A g G. set (s := a / (a - 1)). set (t := (a - 1) / a).
    assert (S : 1 < s) by (unfold s; apply Rmult_lt_reg_r with (a - 1); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
    assert (T : t = / s) by (unfold s, t; field; lra). assert (T0 : 0 < t) by (unfold t; apply Rdiv_lt_0_compat; lra).
    assert (Gs := nonneg_pw _ g s ltac:(lra) G).
    assert (K : E p (fun o => pw (g o) s) <= exp c * E q (fun o => pw (g o) s)).
    { destruct Gs as ((b & B) & P). set (z := Rmax b 1). assert (Z : 0 < z) by (unfold z; pose proof (Rmax_r b 1); lra).
      assert (T1 : test (fun o => / z * pw (g o) s)).
      { intro o. specialize (B o). specialize (P o). rewrite Rabs_right in B by lra. pose proof (Rmax_l b 1). fold z in H0.
        assert (0 < / z) by now apply Rinv_0_lt_compat. assert (/ z * z = 1) by (apply Rinv_l; lra). split; nra. }
      specialize (H _ T1). rewrite !E_mult in H by (exists b; exact B).
      apply Rmult_le_reg_l with (/ z); [now apply Rinv_0_lt_compat|]. lra. }
    eapply Rle_trans; [apply (power_mean O p g s S G)|]. rewrite <- T.
    eapply Rle_trans; [apply (pw_mono _ _ t ltac:(lra) K)|]. rewrite pw_mult, pw_exp by apply exp_pos.
    right. f_equal. f_equal. ring.
  - intros H. apply ind_events. intros S. rewrite Rplus_0_r. set (x := prob p S). set (y := prob q S).
    assert (X : 0 <= x <= 1) by (apply E_test, event_test). assert (Y : 0 <= y <= 1) by (apply E_test, event_test).
    assert (K : forall t, 0 < t < 1 -> x <= exp (t * c) * pw y t).
    { intros t T. assert (A : 1 < / (1 - t)). { rewrite <- Rinv_1 at 1. apply Rinv_lt_contravar; lra. }
      specialize (H _ A (event S)). replace ((/ (1 - t) - 1) / / (1 - t)) with t in H by (field; lra).
      assert (N : nonneg (event S)) by (split; [apply bounded_test, event_test | intro; apply event_test]).
      specialize (H N). rewrite (E_ext _ q _ (event S)) in H; [exact H | | apply bounded_test, event_test|].
      - apply nonneg_pw; [|exact N]. replace (/ (1 - t) / (/ (1 - t) - 1)) with (/ t) by (field; lra). left. apply Rinv_0_lt_compat. lra.
      - intro o. unfold event. destruct dec; [apply pw_base_1 | apply pw_zero; lra]. }
    destruct (Rle_lt_or_eq_dec 0 y (proj1 Y)) as [L|e].
    + apply Rnot_lt_le. intros N. assert (Ex : exp c * y = exp (c + ln y)) by (rewrite exp_plus, exp_ln; auto). rewrite Ex in N.
      assert (Xp : 0 < x) by (pose proof (exp_pos (c + ln y)); lra).
      assert (Lx : c + ln y < ln x). { rewrite <- (ln_exp (c + ln y)). apply ln_increasing; [apply exp_pos | exact N]. }
      assert (Lx0 : ln x <= 0). { destruct (Rle_lt_or_eq_dec x 1 (proj2 X)) as [i|i]; [left; rewrite <- ln_1; now apply ln_increasing | rewrite i, ln_1; lra]. }
      assert (K' : forall t, 0 < t < 1 -> ln x <= t * (c + ln y)).
      { intros t T. specialize (K t T). rewrite pw_pos_value, <- exp_plus in K by assumption.
        apply exp_le_inv || idtac. apply Rnot_lt_le. intros W. apply exp_increasing in W. rewrite exp_ln in W by assumption.
        replace (t * (c + ln y)) with (t * c + t * ln y) in W by ring. lra. }
      set (z := c + ln y) in *.
      (* halfway between ln x / z and 1 *)
      specialize (K' ((ln x / z + 1) / 2)). assert (Zn : z < 0) by lra.
      assert (R1 : ln x / z * z = ln x) by (field; lra).
      assert (R2 : 0 <= ln x / z) by (apply Rmult_le_reg_r with (- z); [lra|]; nra).
      assert (R3 : ln x / z < 1) by (apply Rmult_lt_reg_r with (- z); [lra|]; nra).
      specialize (K' ltac:(lra)). nra.
    + specialize (K (/ 2) ltac:(lra)). rewrite <- e, pw_zero in K by lra. rewrite <- e. lra.
Qed.
