(* What a path of neighbours costs when eps-DP is read as Gaussian privacy: r steps at once, which is
   less than r times what one step costs.

   A test that rejects p with probability a rejects what is r steps away with at most [walked eps r a]: each
   step multiplies by e^eps, or what is left of 1 by e^-eps.  This is the least of r + 1 lines, whose corners
   decide, since the curve of two normal laws is concave. *)
From Coq Require Import Reals Lra Lia List Classical.
From Dpcomp Require Import Measure Notions Compose Gaussian.
Open Scope R_scope.

Definition step (eps a : R) : R := Rmin (exp eps * a) (1 - exp (- eps) * (1 - a)).
Fixpoint walked (eps : R) (r : nat) (a : R) : R := match r with O => a | S n => walked eps n (step eps a) end.
Lemma step_up eps a b : a <= b -> step eps a <= step eps b.
Proof.
  intros L. pose proof (exp_pos eps). pose proof (exp_pos (- eps)). unfold step.
  apply Rmin_glb; [eapply Rle_trans; [apply Rmin_l|] | eapply Rle_trans; [apply Rmin_r|]]; nra.
Qed.
Lemma walked_up eps r : forall a b, a <= b -> walked eps r a <= walked eps r b.
Proof. induction r as [|r IH]; intros a b L; cbn; [exact L | now apply IH, step_up]. Qed.
Lemma step_more eps a : 0 <= eps -> 0 <= a <= 1 -> a <= step eps a.
Proof.
  intros P A. assert (1 <= exp eps) by (rewrite <- exp_0; now apply exp_le).
  assert (exp (- eps) <= 1) by (rewrite <- exp_0; apply exp_le; lra). unfold step. apply Rmin_glb; nra.
Qed.
Lemma walked_more eps s r a : 0 <= eps -> 0 <= a <= 1 -> (s <= r)%nat -> walked eps s a <= walked eps r a.
Proof.
  intros P A L. induction L as [|r L IH]; [lra|]. eapply Rle_trans; [exact IH|]. cbn. apply walked_up. now apply step_more.
Qed.
Lemma walked_along T O (G : T -> T -> Prop) eps (M : T -> pm O) : (forall x y, G x y -> ind eps 0 (M x) (M y) /\ ind eps 0 (M y) (M x)) ->
  forall r x y g, path G r x y -> test g -> E (M y) g <= walked eps r (E (M x) g).
Proof.
  intros H r x y g p Tg. induction p as [x|r x y z n p IH]; cbn; [lra|].
  eapply Rle_trans; [exact IH|]. apply walked_up. destruct (H x y n) as (A & B). unfold step. apply Rmin_glb.
  - specialize (B g Tg). lra.
  - assert (T' : test (fun o => 1 + -1 * g o)) by (intro o; specialize (Tg o); lra). specialize (A _ T').
    rewrite !E_plus, !E_mult, !E_const in A by (auto using bounded_test, bounded_mult, bounded_const).
    assert (U : exp (- eps) * exp eps = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
    apply (Rmult_le_compat_l (exp (- eps))) in A; [|left; apply exp_pos].
    replace (exp (- eps) * (exp eps * (1 + -1 * E (M y) g) + 0)) with (exp (- eps) * exp eps * (1 - E (M y) g)) in A by ring.
    rewrite U in A. lra.
Qed.
(* k steps that multiply, and the others *)
Definition line (eps : R) (r k : nat) (a : R) : R := 1 - exp (- (INR (r - k) * eps)) * (1 - exp (INR k * eps) * a).
Lemma below_line eps r : forall k a, (k <= r)%nat -> walked eps r a <= line eps r k a.
Proof.
  induction r as [|r IH]; intros k a L; unfold line.
  - replace k with 0%nat by lia. cbn. rewrite !Rmult_0_l, Ropp_0, exp_0. lra.
  - cbn [walked]. destruct k as [|k].
    + eapply Rle_trans; [apply (walked_up eps r _ (1 - exp (- eps) * (1 - a))), Rmin_r|].
      eapply Rle_trans; [apply (IH 0%nat); lia|]. unfold line. rewrite !Nat.sub_0_r, S_INR. cbn [INR]. rewrite !Rmult_0_l, exp_0, !Rmult_1_l.
      replace (- ((INR r + 1) * eps)) with (- (INR r * eps) + - eps) by ring. rewrite exp_plus. right. ring.
    + eapply Rle_trans; [apply (walked_up eps r _ (exp eps * a)), Rmin_l|].
      eapply Rle_trans; [apply (IH k); lia|]. unfold line. rewrite S_INR. cbn [Nat.sub].
      replace ((INR k + 1) * eps) with (INR k * eps + eps) by ring. rewrite exp_plus. right. ring.
Qed.
(* the corners *)
Definition corner_x (eps : R) (k : nat) : R := exp (- (INR k * eps)) / (1 + exp eps).
Definition corner_y (eps : R) (r k : nat) : R := 1 - exp (- (INR (r - k) * eps)) * (exp eps / (1 + exp eps)).
Lemma line_left eps r k : line eps r k (corner_x eps k) = corner_y eps r k.
Proof.
  unfold line, corner_x, corner_y. pose proof (exp_pos eps).
  assert (U : exp (INR k * eps) * exp (- (INR k * eps)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace (exp (INR k * eps) * (exp (- (INR k * eps)) / (1 + exp eps))) with (/ (1 + exp eps)).
  - f_equal. f_equal. field. lra.
  - unfold Rdiv. rewrite <- Rmult_assoc, U. ring.
Qed.
Lemma line_right eps r k : (k < r)%nat -> line eps r (S k) (corner_x eps k) = corner_y eps r k.
Proof.
  intros L. unfold line, corner_x, corner_y. pose proof (exp_pos eps).
  assert (U : exp (INR k * eps) * exp (- (INR k * eps)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace (r - k)%nat with (S (r - S k)) by lia. rewrite !S_INR.
  replace (exp ((INR k + 1) * eps) * (exp (- (INR k * eps)) / (1 + exp eps))) with (exp eps / (1 + exp eps)).
  - replace (- ((INR (r - S k) + 1) * eps)) with (- (INR (r - S k) * eps) + - eps) by ring. rewrite exp_plus.
    assert (V : exp (- eps) * exp eps = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
    replace (exp (- (INR (r - S k) * eps)) * exp (- eps) * (exp eps / (1 + exp eps)))
      with (exp (- (INR (r - S k) * eps)) * (exp (- eps) * exp eps) / (1 + exp eps)) by (unfold Rdiv; ring).
    rewrite V. field. lra.
  - replace ((INR k + 1) * eps) with (eps + INR k * eps) by ring. rewrite exp_plus. unfold Rdiv.
    transitivity (exp eps * (exp (INR k * eps) * exp (- (INR k * eps))) * / (1 + exp eps)); [rewrite U | ]; ring.
Qed.
Definition concave (h : R -> R) := forall t a b, 0 <= t <= 1 -> 0 <= a <= 1 -> 0 <= b <= 1 -> t * h a + (1 - t) * h b <= h (t * a + (1 - t) * b).
Lemma chord h eps r k u v a : concave h -> 0 <= u -> v <= 1 -> u <= a <= v -> line eps r k u <= h u -> line eps r k v <= h v -> line eps r k a <= h a.
Proof.
  intros C U V A Hu Hv. destruct (Req_dec u v) as [e|ne].
  - replace a with u by lra. exact Hu.
  - set (t := (v - a) / (v - u)). assert (D : 0 < v - u) by lra.
    assert (Te : t * (v - u) = v - a) by (unfold t; field; lra).
    assert (T0 : 0 <= t <= 1) by (split; apply Rmult_le_reg_r with (v - u); lra).
    assert (e : t * u + (1 - t) * v = a) by lra. specialize (C t u v T0 ltac:(lra) ltac:(lra)). rewrite e in C.
    eapply Rle_trans; [|exact C]. replace (line eps r k a) with (t * line eps r k u + (1 - t) * line eps r k v).
    + apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
    + rewrite <- e. unfold line. ring.
Qed.
Lemma corner_inside eps k : 0 <= eps -> 0 <= corner_x eps k <= 1.
Proof.
  intros P. unfold corner_x. pose proof (exp_pos eps). pose proof (exp_pos (- (INR k * eps))).
  assert (exp (- (INR k * eps)) <= 1) by (rewrite <- exp_0; apply exp_le; pose proof (pos_INR k); nra).
  split; [apply Rlt_le, Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (1 + exp eps); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma corners_decide h eps r : 0 <= eps -> concave h -> 0 <= h 0 -> 1 <= h 1 ->
  (forall k, (k < r)%nat -> corner_y eps r k <= h (corner_x eps k)) -> forall a, 0 <= a <= 1 -> walked eps r a <= h a.
Proof.
  intros P C H0 H1 corners a A.
  assert (zero : line eps r r 0 = 0) by (unfold line; rewrite Nat.sub_diag; cbn [INR]; rewrite Rmult_0_l, Ropp_0, exp_0; ring).
  assert (seg : forall d k, (k + d = r)%nat -> (0 < k)%nat -> a <= corner_x eps (k - 1) -> walked eps r a <= h a).
  { induction d as [|d IH]; intros k e K L; destruct k as [|k]; [lia | | lia |]; cbn [Nat.sub] in L; rewrite Nat.sub_0_r in L.
    - assert (last : S k = r) by lia. eapply Rle_trans; [apply (below_line eps r r); lia|].
      destruct (corner_inside eps k P).
      apply (chord h eps r r 0 (corner_x eps k)); [exact C | lra | assumption | lra | rewrite zero; exact H0 |].
      replace (line eps r r (corner_x eps k)) with (line eps r (S k) (corner_x eps k)) by now rewrite last.
      rewrite line_right by lia. apply corners. lia.
    - destruct (Rle_lt_dec (corner_x eps (S k)) a) as [G|G].
      + eapply Rle_trans; [apply (below_line eps r (S k)); lia|].
        destruct (corner_inside eps (S k) P), (corner_inside eps k P).
        apply (chord h eps r (S k) (corner_x eps (S k)) (corner_x eps k)); [exact C | assumption | assumption | lra | |].
        * rewrite line_left. apply corners. lia.
        * rewrite line_right by lia. apply corners. lia.
      + apply (IH (S (S k))); [lia | lia|]. cbn [Nat.sub]. lra. }
  destruct r as [|r].
  - cbn [walked]. eapply Rle_trans; [|apply (chord h eps 0 0 0 1 a); auto; try lra]; unfold line; cbn; rewrite ?Rmult_0_l, ?Ropp_0, ?exp_0; lra.
  - destruct (Rle_lt_dec (corner_x eps 0) a) as [G|G].
    + eapply Rle_trans; [apply (below_line eps (S r) 0); lia|].
      destruct (corner_inside eps 0 P).
      apply (chord h eps (S r) 0 (corner_x eps 0) 1); [exact C | assumption | lra | lra | |].
      * rewrite line_left. apply corners. lia.
      * unfold line. cbn [INR]. rewrite Rmult_0_l, exp_0. lra.
    + apply (seg r 1%nat); [lia | lia|]. cbn [Nat.sub]. lra.
Qed.

(* ---- the curve of two normal laws ---- *)
Section Normal.
Variable N : normal_laws.
Notation curve mu a := (prob (normal N mu) (best N a)).
Lemma normal_shifted mu : 0 <= mu -> shifted (Phi N) mu (normal N 0) (normal N mu).
Proof.
  intros M z g T L. set (c := exp (mu * z - mu * mu / 2)).
  pose proof (best_tests _ (normal N 0) (normal N mu) (fun x => z < x) c g) as K.
  rewrite !half_line, Rminus_0_r in K.
  assert (X : E (normal N mu) g - c * E (normal N 0) g <= 1 - Phi N (z - mu) - c * (1 - Phi N z)).
  { apply K; [| |exact T]; intros f Tf Z; [apply line_below | apply line_above]; auto. }
  assert (0 < c) by apply exp_pos. nra.
Qed.
Lemma curve_concave mu : 0 <= mu -> concave (fun a => curve mu a).
Proof.
  intros M t a b T A B. set (g := fun x => t * event (best N a) x + (1 - t) * event (best N b) x).
  assert (Tg : test g).
  { intro x. unfold g. pose proof (event_test R (best N a) x). pose proof (event_test R (best N b) x). nra. }
  assert (mean : forall m, E (normal N m) g = t * curve m a + (1 - t) * curve m b).
  { intro m. unfold g, prob. rewrite E_plus, !E_mult; auto using bounded_test, bounded_mult, event_test. }
  pose proof (shifted_best N _ mu _ _ g (normal_shifted mu M) Tg) as H. rewrite !mean, !(best_size N) in H by assumption. exact H.
Qed.
Theorem gaussian_of_pure_at_distance T O (G : T -> T -> Prop) eps mu (M : T -> pm O) r : 0 <= eps -> 0 <= mu ->
  (forall x y, G x y -> ind eps 0 (M x) (M y) /\ ind eps 0 (M y) (M x)) ->
  (forall k z, (k < r)%nat -> Phi N z = 1 - corner_x eps k -> corner_y eps r k <= 1 - Phi N (z - mu)) ->
  forall s x y, (s <= r)%nat -> path G s x y -> shifted (Phi N) mu (M x) (M y).
Proof.
  intros P Q H corners s x y S p z g Tg L. assert (A : 0 <= E (M x) g <= 1) by now apply E_test.
  assert (W : E (M y) g <= walked eps r (E (M x) g)).
  { eapply Rle_trans; [now apply (walked_along T O G eps M H s x y g p) | now apply walked_more]. }
  assert (K : walked eps r (E (M x) g) <= curve mu (E (M x) g)).
  { apply (corners_decide (fun a => curve mu a) eps r P (curve_concave mu Q)); [apply E_test, event_test | | | exact A].
    - rewrite (prob_all _ _ (best N 1)); [lra|]. intro. left. lra.
    - intros k Kr. pose proof (corner_inside eps k P) as I.
      assert (J : 0 < corner_x eps k < 1).
      { unfold corner_x in *. pose proof (exp_pos eps). pose proof (exp_pos (- (INR k * eps))). split; [now apply Rdiv_lt_0_compat; lra|].
        assert (exp (- (INR k * eps)) <= 1) by (rewrite <- exp_0; apply exp_le; pose proof (pos_INR k); nra).
        apply Rmult_lt_reg_r with (1 + exp eps); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
      destruct (onto N (1 - corner_x eps k) ltac:(lra)) as (w & W'). specialize (corners k w Kr W').
      replace (corner_x eps k) with (1 - Phi N w) by lra. rewrite (best_level N). exact corners. }
  assert (U : curve mu (E (M x) g) <= curve mu (1 - Phi N z)).
  { apply E_mono; try apply bounded_test, event_test. intro o. unfold event.
    destruct (dec (best N (E (M x) g) o)) as [b|], (dec (best N (1 - Phi N z) o)) as [|no]; try lra.
    destruct no. now apply (best_nested N _ _ _ L). }
  rewrite (best_level N) in U. lra.
Qed.
End Normal.
