(* What a path of neighbours costs when eps-DP is read as Gaussian privacy, and as zCDP: r steps at once,
   which is less than r times, or r^2 times, what one step costs.

   A test that rejects p with probability a rejects what is r steps away with at most [walked eps r a]: each
   step multiplies by e^eps, or what is left of 1 by e^-eps.  This is the least of r + 1 lines, whose corners
   decide, since the curve of two normal laws is concave. *)
From Coq Require Import Reals Lra Lia List Classical.
From Dpcomp Require Import Measure Notions Compose Conversions Gaussian.
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

(* ---- what r steps of eps-DP cost in zCDP ---- *)
(* a function in layers, each with its own bound: [c] are the slopes, [d] what is added for each unit of height *)
Fixpoint bent (c T : nat -> R) (k : nat) (x : R) : R := match k with
  | O => c 0%nat * x | S j => bent c T j x + (c (S j) - c j) * (x + -1 * Rmin x (T (S j))) end.
Fixpoint added (d T : nat -> R) (k : nat) : R := match k with O => 0 | S j => added d T j + (d j - d (S j)) * T (S j) end.
Lemma layers O (p q : pm O) (c d T : nat -> R) r g : nonneg g -> T 0%nat = 0 -> (forall k, T k <= T (S k)) -> d r = 0 ->
  (forall k h H, (k <= r)%nat -> bounded h -> (forall o, 0 <= h o <= H) -> E p h <= d k * H + c k * E q h) ->
  E p g <= E q (fun o => bent c T r (g o)) + added d T r.
Proof.
  intros (B & g0) T0 up last each. assert (P : forall j, 0 <= T j) by (induction j; [lra | eapply Rle_trans; [eassumption | apply up]]).
  assert (M : forall j, bounded (fun o => Rmin (g o) (T j))).
  { intro j. apply bounded_between with 0 (T j). intro o. specialize (g0 o). specialize (P j). unfold Rmin. destruct Rle_dec; lra. }
  assert (Bb : forall k, bounded (fun o => bent c T k (g o))) by (induction k; cbn [bent]; auto with bounded).
  assert (diff : forall (m : pm O) f h, bounded f -> bounded h -> E m (fun o => f o + -1 * h o) = E m f - E m h).
  { intros. rewrite E_plus, E_mult; auto with bounded. ring. }
  assert (inv : forall k, (k <= r)%nat -> E p (fun o => Rmin (g o) (T k)) <=
    E q (fun o => bent c T k (g o)) + added d T k - c k * (E q g - E q (fun o => Rmin (g o) (T k))) + d k * T k).
  { induction k as [|k IH]; intros K; cbn [bent added].
    - assert (z : forall m : pm O, E m (fun o => Rmin (g o) (T 0%nat)) = 0).
      { intro m. rewrite (E_ext _ m _ (fun _ => 0)); [apply E_const | apply M | apply bounded_const|].
        intro o. rewrite T0. specialize (g0 o). unfold Rmin. destruct Rle_dec; lra. }
      rewrite E_mult, !z, T0 by exact B. lra.
    - specialize (IH ltac:(lia)).
      pose proof (each k (fun o => Rmin (g o) (T (S k)) + -1 * Rmin (g o) (T k)) (T (S k) - T k) ltac:(lia) ltac:(auto with bounded)) as H.
      rewrite !diff in H by apply M.
      assert (N : forall o, 0 <= Rmin (g o) (T (S k)) + -1 * Rmin (g o) (T k) <= T (S k) - T k).
      { intro o. specialize (up k). unfold Rmin. repeat destruct Rle_dec; lra. }
      specialize (H N). rewrite E_plus, E_mult, diff by auto with bounded. lra. }
  specialize (inv r (le_n r)). rewrite last in inv. destruct B as (b & b0).
  pose proof (each r (fun o => g o + -1 * Rmin (g o) (T r)) (Rabs b) (le_n r)) as H.
  assert (B : bounded g) by now exists b.
  specialize (H ltac:(auto with bounded)). rewrite last, !diff in H by auto.
  assert (N : forall o, 0 <= g o + -1 * Rmin (g o) (T r) <= Rabs b).
  { intro o. specialize (b0 o). specialize (g0 o). specialize (P r). pose proof (Rle_abs (g o)). pose proof (Rle_abs b). unfold Rmin. destruct Rle_dec; lra. }
  specialize (H N). lra.
Qed.
(* it is the largest of its lines *)
Lemma bent_far c T v k x : (forall j, (c (S j) - c j) * T (S j) = v (S j) - v j) -> (forall j, T j <= T (S j)) ->
  T k <= x -> bent c T k x = c k * x - (v k - v 0%nat).
Proof.
  intros steps up. revert x. induction k as [|k IH]; intros x L; cbn [bent]; [ring|].
  rewrite IH by (specialize (up k); lra). rewrite Rmin_right by exact L. specialize (steps k). lra.
Qed.
Lemma bent_below c T v r x Y : (forall j, (c (S j) - c j) * T (S j) = v (S j) - v j) -> (forall j, T j <= T (S j)) ->
  (forall k, c k * x - (v k - v 0%nat) <= Y) -> bent c T r x <= Y.
Proof.
  intros steps up lines. induction r as [|k IH]; [specialize (lines 0%nat); cbn; lra|].
  destruct (Rle_lt_dec x (T (S k))) as [L|L].
  - cbn [bent]. rewrite Rmin_left by exact L. lra.
  - rewrite (bent_far _ _ v) by auto with real. apply lines.
Qed.
(* the sum of (p/q)^a q over the outcomes of the worst pair that is r steps apart *)
Definition power (eps a : R) (r k : nat) : R := exp ((2 * INR k - INR r) * (a * eps)).
Fixpoint powers (eps a : R) (r k : nat) : R := match k with
  | O => power eps a r 0 | S j => powers eps a r j + exp (- (INR k * eps)) / (1 + exp (- eps)) * (power eps a r k - power eps a r j) end.
Lemma powers_step eps a r k : powers eps a (S r) k = exp (- (a * eps)) * powers eps a r k.
Proof.
  assert (P : forall j, power eps a (S r) j = exp (- (a * eps)) * power eps a r j).
  { intro j. unfold power. rewrite <- exp_plus, S_INR. f_equal. ring. }
  induction k as [|k IH]; cbn [powers]; rewrite ?IH, !P; ring.
Qed.
Definition last_power eps a r : R := exp (- (INR (S r) * eps)) / (1 + exp (- eps)) * (power eps a (S r) (S r) - power eps a (S r) r).
Lemma powers_last eps a r : powers eps a (S r) (S r) = exp (- (a * eps)) * powers eps a r r + last_power eps a r.
Proof. cbn [powers]. rewrite powers_step. reflexivity. Qed.
Lemma last_power_step eps a r : last_power eps a (S r) = exp ((a - 1) * eps) * last_power eps a r.
Proof.
  unfold last_power, power. rewrite !S_INR.
  replace (exp (- ((INR r + 1 + 1) * eps))) with (exp (- eps) * exp (- ((INR r + 1) * eps))) by (rewrite <- exp_plus; f_equal; ring).
  replace (exp ((2 * (INR r + 1 + 1) - (INR r + 1 + 1)) * (a * eps))) with (exp (a * eps) * exp ((2 * (INR r + 1) - (INR r + 1)) * (a * eps)))
    by (rewrite <- exp_plus; f_equal; ring).
  replace (exp ((2 * (INR r + 1) - (INR r + 1 + 1)) * (a * eps))) with (exp (a * eps) * exp ((2 * INR r - (INR r + 1)) * (a * eps)))
    by (rewrite <- exp_plus; f_equal; ring).
  replace (exp ((a - 1) * eps)) with (exp (a * eps) * exp (- eps)) by (rewrite <- exp_plus; f_equal; ring). unfold Rdiv. ring.
Qed.
Lemma powers_two eps a r : powers eps a (S (S r)) (S (S r)) =
  (exp ((a - 1) * eps) + exp (- (a * eps))) * powers eps a (S r) (S r) - exp (- eps) * powers eps a r r.
Proof.
  rewrite powers_last, last_power_step. rewrite (powers_last eps a r).
  replace (exp (- eps)) with (exp ((a - 1) * eps) * exp (- (a * eps))) by (rewrite <- exp_plus; f_equal; ring). ring.
Qed.
(* what one step more adds *)
Definition left_out (eps : R) (j : nat) : R := 2 * exp (- (INR (S j) * eps)) / (1 + exp (- eps)).
Fixpoint path_sum (eps : R) (r : nat) : R := match r with O => 0 | S j => path_sum eps j + eps * (1 - left_out eps j) end.
Lemma left_out_step eps j : left_out eps (S j) = exp (- eps) * left_out eps j.
Proof.
  unfold left_out. rewrite (S_INR (S j)).
  replace (- ((INR (S j) + 1) * eps)) with (- eps + - (INR (S j) * eps)) by ring. rewrite exp_plus. unfold Rdiv. ring.
Qed.
Lemma left_out_least eps : eps * (1 - left_out eps 0) = half_loss eps.
Proof.
  unfold left_out, half_loss, tanh, sinh, cosh. cbn [INR]. rewrite Rmult_1_l.
  pose proof (exp_pos (- (eps / 2))) as P. pose proof (exp_pos (eps / 2)) as Q.
  assert (U : exp (eps / 2) * exp (- (eps / 2)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace (exp (- eps)) with (exp (- (eps / 2)) * exp (- (eps / 2))) by (rewrite <- exp_plus; f_equal; field).
  set (u := exp (eps / 2)) in *. set (v := exp (- (eps / 2))) in *. assert (v = / u) by (apply (Rmult_eq_reg_l u); [rewrite Rinv_r|]; lra).
  rewrite H. field. nra.
Qed.
Lemma powers_positive eps a r : 0 <= eps -> 1 < a -> 0 < powers eps a r r.
Proof.
  intros P A. induction r as [|r IH]; [apply exp_pos|]. rewrite powers_last.
  assert (0 <= last_power eps a r).
  { unfold last_power. pose proof (exp_pos (- eps)). pose proof (exp_pos (- (INR (S r) * eps))).
    apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; lra|]. unfold power.
    assert (exp ((2 * INR r - INR (S r)) * (a * eps)) <= exp ((2 * INR (S r) - INR (S r)) * (a * eps))) by (apply exp_le; rewrite !S_INR; nra). lra. }
  pose proof (exp_pos (- (a * eps))). nra.
Qed.
(* the mean of two powers of e is at least the power of the mean *)
Lemma exp_mean a x y m : 0 <= a -> x + a * y = (1 + a) * m -> (1 + a) * exp m <= exp x + a * exp y.
Proof.
  intros A e. assert (T : forall z, exp m * (1 + (z - m)) <= exp z).
  { intro z. replace z with (m + (z - m)) at 2 by ring. rewrite exp_plus. apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_ineq1_le]. }
  pose proof (T x). pose proof (T y). pose proof (exp_pos m).
  apply Rle_trans with (exp m * (1 + (x - m)) + a * (exp m * (1 + (y - m)))); [|nra].
  right. transitivity (exp m * (1 + a + (x + a * y - (1 + a) * m))); [rewrite e|]; ring.
Qed.
Lemma powers_grow eps a r : 0 <= eps -> 1 < a ->
  powers eps a (S r) (S r) <= exp (a * (a - 1) * (eps * (1 - left_out eps r))) * powers eps a r r.
Proof.
  intros P A. pose proof (exp_pos (- eps)) as X. pose proof (two_outputs eps a P A) as two.
  assert (U : exp eps * exp (- eps) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (W : weight eps * (1 + exp (- eps)) = exp (- eps)).
  { unfold weight. pose proof (exp_pos eps). apply Rmult_eq_reg_l with (1 + exp eps); [|lra].
    rewrite <- Rmult_assoc, Rinv_r by lra. nra. }
  assert (both : exp ((a - 1) * eps) + exp (- (a * eps)) <= (1 + exp (- eps)) * exp (a * (a - 1) * half_loss eps)).
  { apply (Rmult_le_compat_l (1 + exp (- eps))) in two; [|lra]. eapply Rle_trans; [|exact two]. right.
    transitivity (weight eps * (1 + exp (- eps)) * exp (eps * a) + exp eps * (weight eps * (1 + exp (- eps))) * exp (- (eps * a))); [|ring].
    rewrite W, U, <- exp_plus, Rmult_1_l. f_equal; f_equal; ring. }
  induction r as [|r IH].
  - rewrite left_out_least. unfold powers, power. cbn [INR]. rewrite !Rmult_1_l.
    replace ((2 * 0 - 0) * (a * eps)) with 0 by ring. rewrite exp_0. apply Rmult_le_reg_l with (1 + exp (- eps)); [lra|].
    eapply Rle_trans; [|rewrite ?Rmult_1_r; exact both]. right.
    replace ((2 * 0 - 1) * (a * eps)) with (- (a * eps)) by ring. replace ((2 * 1 - 1) * (a * eps)) with (a * eps) by ring.
    replace ((a - 1) * eps) with (- eps + a * eps) by ring. rewrite exp_plus. field. lra.
  - rewrite powers_two. pose proof (powers_positive eps a r P A) as R0. pose proof (powers_positive eps a (S r) P A) as R1.
    set (n := a * (a - 1) * (eps * (1 - left_out eps r))) in *. set (m := a * (a - 1) * (eps * (1 - left_out eps (S r)))).
    assert (mean : (1 + exp (- eps)) * exp (a * (a - 1) * half_loss eps) <= exp m + exp (- eps) * exp (- n)).
    { apply exp_mean; [lra|]. unfold m, n. rewrite left_out_step, <- left_out_least.
      assert (Z : left_out eps 0 * (1 + exp (- eps)) = 2 * exp (- eps)).
      { unfold left_out. cbn [INR]. rewrite Rmult_1_l. field. lra. }
      transitivity (a * (a - 1) * eps * (1 - exp (- eps))); [ring|].
      transitivity (a * (a - 1) * eps * (1 + exp (- eps) - left_out eps 0 * (1 + exp (- eps)))); [rewrite Z|]; ring. }
    assert (low : exp (- n) * powers eps a (S r) (S r) <= powers eps a r r).
    { apply (Rmult_le_compat_l (exp (- n))) in IH; [|left; apply exp_pos]. rewrite <- Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0 in IH. lra. }
    apply (Rmult_le_compat_l (exp (- eps))) in low; [|lra].
    assert ((exp ((a - 1) * eps) + exp (- (a * eps))) * powers eps a (S r) (S r) <= (exp m + exp (- eps) * exp (- n)) * powers eps a (S r) (S r))
      by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma powers_most eps a r : 0 <= eps -> 1 < a -> powers eps a r r <= exp (a * (a - 1) * path_sum eps r).
Proof.
  intros P A. induction r as [|r IH].
  - unfold powers, power. cbn. right. f_equal. ring.
  - eapply Rle_trans; [now apply powers_grow|]. cbn [path_sum]. rewrite Rmult_plus_distr_l, Rplus_comm, exp_plus.
    apply Rmult_le_compat_l; [left; apply exp_pos | exact IH].
Qed.
(* the relative entropy of that pair *)
Definition path_rho (eps : R) (r : nat) : R := eps * (INR r - 2 * exp (- eps) * (1 - exp (- (INR r * eps))) / (1 - exp (- (2 * eps)))).
Lemma path_sum_is eps r : 0 <= eps -> path_sum eps r = path_rho eps r.
Proof.
  intros [P|<-].
  - pose proof (exp_increasing (- eps) 0 ltac:(lra)) as L. rewrite exp_0 in L. pose proof (exp_pos (- eps)).
    assert (D : exp (- (2 * eps)) = exp (- eps) * exp (- eps)) by (rewrite <- exp_plus; f_equal; ring).
    induction r as [|r IH]; cbn [path_sum]; unfold path_rho in *.
    + cbn [INR]. rewrite Rmult_0_l, Ropp_0, exp_0. unfold Rdiv. ring.
    + rewrite IH, D. unfold left_out. rewrite S_INR. replace (- ((INR r + 1) * eps)) with (- eps + - (INR r * eps)) by ring.
      rewrite exp_plus. field. split; nra.
  - unfold path_rho. induction r as [|r IH]; cbn [path_sum]; lra.
Qed.
Lemma left_out_down eps eps' j k : 0 <= eps <= eps' -> (j <= k)%nat -> left_out eps' k <= left_out eps j <= 1.
Proof.
  assert (e : forall x i, left_out x i = 2 * (exp (- (INR i * x)) * / (1 + exp x))).
  { intros x i. unfold left_out. rewrite S_INR. replace (- ((INR i + 1) * x)) with (- (INR i * x) + - x) by ring. rewrite exp_plus.
    assert (exp (- x) * (1 + exp x) = 1 + exp (- x)) by (rewrite Rmult_plus_distr_l, <- exp_plus, Rplus_opp_l, exp_0; ring).
    pose proof (exp_pos x). pose proof (exp_pos (- x)). rewrite <- H. field. lra. }
  intros (P & L) K. rewrite !e. apply le_INR in K. pose proof (pos_INR j). pose proof (exp_pos eps). pose proof (exp_le _ _ L).
  assert (one : 1 <= exp eps) by (rewrite <- exp_0; now apply exp_le).
  assert (I : 0 < / (1 + exp eps)) by (apply Rinv_0_lt_compat; lra).
  assert (exp (- (INR j * eps)) <= 1) by (rewrite <- exp_0; apply exp_le; nra). split.
  - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; [left; apply exp_pos | left; apply Rinv_0_lt_compat; lra | apply exp_le; nra | apply Rinv_le_contravar; lra].
  - assert (/ (1 + exp eps) <= / 2) by (apply Rinv_le_contravar; lra). pose proof (exp_pos (- (INR j * eps))). nra.
Qed.
Lemma path_sum_up eps eps' r s : 0 <= eps <= eps' -> (r <= s)%nat -> path_sum eps r <= path_sum eps' s.
Proof.
  intros P L. assert (D : forall j, left_out eps' j <= left_out eps j <= 1) by (intro; now apply left_out_down).
  induction L as [|s L IH].
  - induction r as [|r IH]; cbn [path_sum]; [lra|]. specialize (D r). nra.
  - eapply Rle_trans; [exact IH|]. cbn [path_sum]. specialize (D s). nra.
Qed.
Lemma path_sum_least eps r : 0 <= eps -> INR r * half_loss eps <= path_sum eps r.
Proof.
  intros P. induction r as [|r IH]; [cbn; lra|]. rewrite S_INR. cbn [path_sum]. rewrite <- left_out_least in *.
  pose proof (left_out_down eps eps 0 r ltac:(lra) ltac:(lia)). nra.
Qed.
Lemma path_rho_one eps : 0 <= eps -> path_rho eps 1 = half_loss eps.
Proof. intros P. rewrite <- path_sum_is, <- left_out_least by exact P. cbn [path_sum]. ring. Qed.
Lemma layers_along T O (G : T -> T -> Prop) eps (M : T -> pm O) : (forall x y, G x y -> ind eps 0 (M x) (M y) /\ ind eps 0 (M y) (M x)) ->
  forall r x y k h H, path G r x y -> (k <= r)%nat -> bounded h -> (forall o, 0 <= h o <= H) ->
  E (M y) h <= (1 - exp (- (INR (r - k) * eps))) * H + exp ((2 * INR k - INR r) * eps) * E (M x) h.
Proof.
  intros C r x y k h H p K B L. destruct (Rle_lt_dec H 0) as [Z|P].
  - assert (z : forall m : pm O, E m h = 0).
    { intro m. rewrite (E_ext _ m h (fun _ => 0)); auto using E_const, bounded_const. intro o. specialize (L o). lra. }
    rewrite !z. destruct (Req_dec H 0) as [->|]; [lra|]. specialize (E_between _ (M x) h 0 H L). lra.
  - assert (I : 0 < / H) by now apply Rinv_0_lt_compat.
    assert (Tg : test (fun o => / H * h o)).
    { intro o. specialize (L o). assert (/ H * h o <= / H * H) by (apply Rmult_le_compat_l; lra). rewrite Rinv_l in H0 by lra. split; [nra | lra]. }
    pose proof (walked_along T O G eps M C r x y _ p Tg) as W. rewrite !E_mult in W by exact B.
    eapply Rle_trans in W; [|right; reflexivity]. pose proof (Rle_trans _ _ _ W (below_line eps r k _ K)) as V. unfold line in V.
    apply (Rmult_le_compat_l H) in V; [|lra]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in V by lra. eapply Rle_trans; [exact V|]. right.
    replace ((2 * INR k - INR r) * eps) with (- (INR (r - k) * eps) + INR k * eps) by (rewrite minus_INR by exact K; ring).
    rewrite exp_plus. field. lra.
Qed.
Lemma moments_along T O (G : T -> T -> Prop) eps (M : T -> pm O) : 0 < eps -> (forall x y, G x y -> ind eps 0 (M x) (M y) /\ ind eps 0 (M y) (M x)) ->
  forall r x y s g l, path G r x y -> 1 < s -> nonneg g -> let a := s / (s - 1) in
  E (M y) g <= / s * exp ((1 - s) * l) * E (M x) (fun o => pw (g o) s) + (1 - / s) * exp l * powers eps a r r.
Proof.
  intros P C r x y s g l p S1 G0 a. assert (A : a * (s - 1) = s) by (unfold a; field; lra). assert (A1 : 1 < a) by nra.
  assert (I : 0 < / s < 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
  set (c := fun k => exp ((2 * INR k - INR r) * eps)). set (d := fun k => 1 - exp (- (INR (r - k) * eps))).
  set (B := (1 - / s) * exp l). assert (B0 : 0 < B) by (apply Rmult_lt_0_compat; [lra | apply exp_pos]).
  set (v := fun k => B * power eps a r k).
  set (ratio := (exp (2 * (a * eps)) - 1) / (exp (2 * eps) - 1)).
  assert (den : 0 < exp (2 * eps) - 1) by (pose proof (exp_increasing 0 (2 * eps) ltac:(lra)); rewrite exp_0 in *; lra).
  assert (num : 0 < exp (2 * (a * eps)) - 1) by (pose proof (exp_increasing 0 (2 * (a * eps)) ltac:(nra)); rewrite exp_0 in *; lra).
  assert (R0 : 0 < ratio) by now apply Rdiv_lt_0_compat.
  set (T0 := fun k => match k with O => 0 | S j => B * exp ((2 * INR j - INR r) * ((a - 1) * eps)) * ratio end).
  assert (c_step : forall j, c (S j) = exp (2 * eps) * c j) by (intro j; unfold c; rewrite <- exp_plus, S_INR; f_equal; ring).
  assert (v_step : forall j, v (S j) = exp (2 * (a * eps)) * v j).
  { intro j. unfold v, power. rewrite S_INR. replace ((2 * (INR j + 1) - INR r) * (a * eps)) with (2 * (a * eps) + (2 * INR j - INR r) * (a * eps)) by ring.
    rewrite exp_plus. ring. }
  assert (steps : forall j, (c (S j) - c j) * T0 (S j) = v (S j) - v j).
  { intro j. rewrite c_step, v_step. unfold T0, ratio, v, power, c.
    replace ((2 * INR j - INR r) * (a * eps)) with ((2 * INR j - INR r) * eps + (2 * INR j - INR r) * ((a - 1) * eps)) by ring.
    rewrite exp_plus. field. lra. }
  assert (up : forall j, T0 j <= T0 (S j)).
  { intros [|j]; unfold T0.
    - left. apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [exact B0 | apply exp_pos] | exact R0].
    - apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; [lra|]. apply exp_le. rewrite S_INR. nra. }
  pose proof (layers O (M y) (M x) c d T0 r g G0 eq_refl up) as H.
  assert (last : d r = 0) by (unfold d; rewrite Nat.sub_diag; cbn [INR]; rewrite Rmult_0_l, Ropp_0, exp_0; ring).
  specialize (H last). assert (each : forall k h H, (k <= r)%nat -> bounded h -> (forall o, 0 <= h o <= H) -> E (M y) h <= d k * H + c k * E (M x) h)
    by (intros; now apply (layers_along T O G eps M C)).
  specialize (H each). clear each.
  assert (total : forall k, (k <= r)%nat -> added d T0 k = B * powers eps a r k - v 0%nat).
  { induction k as [|k IH]; intros K; cbn [added powers]; [unfold v; ring|]. rewrite IH by lia.
    assert (w : d k - d (S k) = exp (- (INR (S k) * eps)) / (1 + exp (- eps)) * (c (S k) - c k)).
    { assert (e : exp (- (2 * eps)) = exp (- eps) * exp (- eps)) by (rewrite <- exp_plus; f_equal; ring). pose proof (exp_pos (- eps)).
      unfold d. rewrite minus_INR by lia. rewrite minus_INR by lia.
      replace (c (S k) - c k) with (exp (INR (S k) * eps) * exp (- ((INR r - INR (S k)) * eps)) * (1 - exp (- (2 * eps)))).
      - replace (exp (- ((INR r - INR k) * eps))) with (exp (- eps) * exp (- ((INR r - INR (S k)) * eps))) by (rewrite <- exp_plus, S_INR; f_equal; ring).
        assert (U : exp (- (INR (S k) * eps)) * exp (INR (S k) * eps) = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
        set (b := exp (- ((INR r - INR (S k)) * eps))) in *. set (f := exp (INR (S k) * eps)) in *. set (f' := exp (- (INR (S k) * eps))) in *.
        rewrite e. transitivity (b * (1 - exp (- eps)) * (f' * f)); [rewrite U; ring | field; lra].
      - unfold c. rewrite Rmult_minus_distr_l, Rmult_1_r, <- !exp_plus, S_INR. f_equal; f_equal; ring. }
    rewrite w, Rmult_assoc, steps. unfold v. ring. }
  rewrite total in H by lia.
  set (A' := / s * exp ((1 - s) * l)).
  assert (Gs := nonneg_pw _ g s ltac:(lra) G0). destruct Gs as (Gb & _). destruct G0 as (Bg & g0).
  assert (F : E (M x) (fun o => bent c T0 r (g o)) <= A' * E (M x) (fun o => pw (g o) s) + v 0%nat).
  { rewrite <- E_affine by exact Gb. apply E_mono.
    - assert (T1 : forall j, 0 <= T0 j) by (induction j; [cbn; lra | eapply Rle_trans; [eassumption | apply up]]).
      assert (M0 : forall j, bounded (fun o => Rmin (g o) (T0 j))).
      { intro j. apply bounded_between with 0 (T0 j). intro o. specialize (g0 o). specialize (T1 j). unfold Rmin. destruct Rle_dec; lra. }
      assert (Bk : forall k, bounded (fun o => bent c T0 k (g o))) by (induction k; cbn [bent]; auto with bounded). apply Bk.
    - auto with bounded.
    - intro o. apply (bent_below c T0 v); auto. intro k. set (th := (2 * INR k - INR r) * eps).
      pose proof (tangent (g o) (exp (l + (a - 1) * th)) s (g0 o) (exp_pos _) S1) as X. rewrite ln_exp in X.
      apply (Rmult_le_compat_l (c k)) in X; [|left; apply exp_pos].
      assert (e1 : c k * exp ((1 - s) * (l + (a - 1) * th)) = exp ((1 - s) * l)).
      { unfold c. fold th. rewrite <- exp_plus. f_equal. replace ((1 - s) * (l + (a - 1) * th)) with ((1 - s) * l - (a * (s - 1) - s + 1) * th) by ring.
        rewrite A. ring. }
      assert (e2 : c k * exp (l + (a - 1) * th) = exp l * power eps a r k).
      { unfold c, power. fold th. rewrite <- !exp_plus. f_equal. unfold th. ring. }
      unfold A', v, B in *. 
      replace (c k * (/ s * exp ((1 - s) * (l + (a - 1) * th)) * pw (g o) s + (1 - / s) * exp (l + (a - 1) * th)))
        with (/ s * (c k * exp ((1 - s) * (l + (a - 1) * th))) * pw (g o) s + (1 - / s) * (c k * exp (l + (a - 1) * th))) in X by ring.
      rewrite e1, e2 in X. lra. }
  fold B. fold A'. lra.
Qed.
Theorem zcdp_of_pure_at_distance T O (G : T -> T -> Prop) eps (M : T -> pm O) r : 0 <= eps ->
  (forall x y, G x y -> ind eps 0 (M x) (M y) /\ ind eps 0 (M y) (M x)) ->
  forall t x y, (t <= r)%nat -> path G t x y -> rel zcdp (path_rho eps r) (M y) (M x).
Proof.
  intros P C t x y L p. rewrite <- path_sum_is by exact P. apply (rel_up zcdp O (path_sum eps t)); [apply path_sum_up; lra || assumption|]. clear L r.
  destruct P as [P|<-].
  - intros s g S1 G0. pose proof (moments_along T O G eps M P C t x y s g) as H. cbn zeta in H. set (a := s / (s - 1)) in *.
    assert (A : a * (s - 1) = s) by (unfold a; field; lra). assert (A1 : 1 < a) by nra.
    assert (I : 0 < / s < 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
    set (F := E (M x) (fun o => pw (g o) s)) in *. assert (F0 : 0 <= F) by (apply nonneg_E, nonneg_pw; [lra | exact G0]).
    pose proof (powers_most eps a t ltac:(lra) A1) as W. set (w := a * (a - 1) * path_sum eps t) in *.
    replace (path_sum eps t / (s - 1)) with ((s - 1) / s * w).
    2: { assert (a - 1 = / (s - 1)) by (unfold a; field; lra). unfold w. rewrite H0. unfold a. field. lra. }
    apply all_tangents; [exact S1 | exact F0 |].
    intro l. eapply Rle_trans; [now apply (H l)|]. rewrite exp_plus, <- Rmult_assoc. apply Rplus_le_compat_l, Rmult_le_compat_l; [|exact W].
    apply Rmult_le_pos; [lra | left; apply exp_pos].
  - replace (path_sum 0 t) with (half_loss 0) by (rewrite path_sum_is by lra; unfold half_loss, path_rho; ring).
    assert (Q : rel pure 0 (M x) (M y) /\ rel pure 0 (M y) (M x)); [|apply zcdp_tanh_of_pure; tauto || lra].
    induction p as [x|t x y z n p (IH & IH')]; [split; apply (rel_refl pure)|]. destruct (C x y n) as (c1 & c2).
    split; intros g Tg; [specialize (c1 g Tg); specialize (IH g Tg) | specialize (c2 g Tg); specialize (IH' g Tg)]; rewrite exp_0 in *; lra.
Qed.
