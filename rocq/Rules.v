(* The rules of the kernel, one theorem each, of the same name.

   A metric is given by what is within r of what; [leq d1 d2] says d1 <= d2.  A choice of blocks
   puts each block into one of some groups, or into none; group j has room for n j of them. *)
From Coq Require Import Reals Lra Lia List Classical ZArith.
From Dpcomp Require Import Measure Notions Compose Databases Conversions Gaussian Paths.
Import ListNotations.
Open Scope R_scope.

Definition metric T := nat -> T -> T -> Prop.
Definition leq {T} (d1 d2 : metric T) := forall r x y, d2 r x y -> d1 r x y.
Definition upward {T} (d : metric T) := forall r s x y, (r <= s)%nat -> d r x y -> d s x y.
Definition canonical {T} (G : T -> T -> Prop) : metric T := fun r x y => exists s, (s <= r)%nat /\ path G s x y.
Definition pullback {T U} (d : metric U) (f : T -> U) : metric T := fun r x y => d r (f x) (f y).
Definition rescaled {T} (c : nat) (d : metric T) : metric T := fun r x y => exists s, d s x y /\ (c * s <= r)%nat.
Definition sensitive {T U} (f : T -> U) (c : nat) (d1 : metric T) (d2 : metric U) :=
  forall r x y, d1 r x y -> d2 (c * r)%nat (f x) (f y).
Definition push {T U} (G : T -> T -> Prop) (f : T -> U) (u v : U) := exists x y, f x = u /\ f y = v /\ G x y.

Section Mechanisms.
Variable N : notion.
Definition private {T O} (d : metric T) (g : R) (M : T -> pm O) :=
  forall r x y, d r x y -> rel N (sc N r * g) (M x) (M y).
Definition between {T O} (G : T -> T -> Prop) (g : R) (M : T -> pm O) := forall x y, G x y -> rel N g (M x) (M y).
Definition depends_only {T U O} (f : T -> U) (M : T -> pm O) := forall x y, f x = f y -> M x = M y.

Theorem everywhere T O (G : T -> T -> Prop) g (M : T -> pm O) : 0 <= g -> between G g M -> private (canonical G) g M.
Proof.
  intros P H r x y (s & L & p). apply rel_up with (sc N s * g); [|now apply (group N _ _ G)].
  apply Rmult_le_compat_r; [assumption | now apply sc_mono].
Qed.
(* ... in (eps, delta) *)
Theorem everywhere_delta T O (G : T -> T -> Prop) e d (M : T -> pm O) : 0 <= e -> 0 <= d ->
  (forall x y, G x y -> ind e d (M x) (M y)) ->
  forall r x y, canonical G r x y -> ind (INR r * e) (growth e r * d) (M x) (M y).
Proof.
  intros P Q H r x y (s & L & p). apply ind_weaken with (INR s * e) (growth e s * d); [| |now apply (group_delta _ _ G)].
  - apply Rmult_le_compat_r; [assumption | now apply le_INR].
  - apply Rmult_le_compat_r; [assumption | apply growth_mono; [right; reflexivity | assumption]].
Qed.
Theorem between_neighbours T O (G : T -> T -> Prop) g (M : T -> pm O) : private (canonical G) g M -> between G g M.
Proof. intros H x y n. rewrite <- (Rmult_1_l g), <- (sc_1 N). apply H. exists 1%nat. split; [auto | now apply path1]. Qed.
Theorem weaken_metric T O (d1 d2 : metric T) g (M : T -> pm O) : private d1 g M -> leq d1 d2 -> private d2 g M.
Proof. intros H L r x y K. apply H. now apply L. Qed.
Theorem rescale_guarantee T O (d : metric T) c g (M : T -> pm O) : private (rescaled c d) g M -> private d (sc N c * g) M.
Proof.
  intros H r x y K. replace (sc N r * (sc N c * g)) with (sc N (c * r) * g) by (rewrite sc_mult; ring).
  apply H. exists r. auto.
Qed.
Theorem metric_of_sensitivity T U (f : T -> U) c d1 d2 : upward d2 -> sensitive f c d1 d2 -> leq (pullback d2 f) (rescaled c d1).
Proof. intros W H r x y (s & K & L). apply W with (c * s)%nat; [assumption | now apply H]. Qed.
Theorem pull_back_leq T U (f : T -> U) d1 d2 : leq d1 d2 -> leq (pullback d1 f) (pullback d2 f).
Proof. intros H r x y K. now apply H. Qed.
Theorem rescale_leq T c (d1 d2 : metric T) : leq d1 d2 -> leq (rescaled c d1) (rescaled c d2).
Proof. intros H r x y (s & K & L). exists s. auto. Qed.
Theorem transitive_leq T (d1 d2 d3 : metric T) : leq d1 d2 -> leq d2 d3 -> leq d1 d3.
Proof. intros H K r x y Z. apply H, K, Z. Qed.
Theorem preprocess T U O (f : T -> U) (d : metric U) g (M : U -> pm O) : private d g M -> private (pullback d f) g (fun x => M (f x)).
Proof. intros H r x y K. now apply H. Qed.
Theorem run_adaptively I T (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) l x y (e : I -> R) :
  (forall i, In i l -> 0 <= e i) -> (forall i h, In i l -> rel N (e i) (M i h x) (M i h y)) ->
  rel N (sum l e) (comp M l [] x) (comp M l [] y).
Proof. apply adaptive. Qed.
(* ... in (eps, delta) *)
Theorem run_adaptively_delta I T (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) l x y (e d : I -> R) :
  (forall i, In i l -> 0 <= d i) -> (forall i h, In i l -> ind (e i) (d i) (M i h x) (M i h y)) ->
  ind (sum l e) (sum l d) (comp M l [] x) (comp M l [] y).
Proof. apply adaptive_delta. Qed.
Theorem run_family T (O : BinNums.Z -> Type) (M : forall i, outputs O -> T -> pm (O i)) k x y (e : BinNums.Z -> R) :
  (forall i, In i (range k) -> 0 <= e i) -> (forall i h, In i (range k) -> rel N (e i) (M i h x) (M i h y)) ->
  rel N (sum (range k) e) (comp M (range k) [] x) (comp M (range k) [] y).
Proof. apply adaptive. Qed.
Theorem postprocess T O P (d : metric T) g (M : T -> pm O) (h : O -> pm P) : 0 <= g ->
  private d g M -> private d g (fun x => bind (M x) h).
Proof.
  intros G H r x y K. replace (sc N r * g) with (sc N r * g + 0) by ring. apply rel_bind.
  - apply Rmult_le_pos; [apply sc_pos | assumption].
  - lra.
  - now apply H.
  - intro. apply rel_refl.
Qed.
Theorem pushforward T U O (G : T -> T -> Prop) (f : T -> U) g (M : T -> pm O) : 0 <= g ->
  between G g M -> depends_only f M -> private (pullback (canonical (push G f)) f) g M.
Proof.
  intros P H dep r x y (s & L & p).
  apply rel_up with (sc N s * g); [apply Rmult_le_compat_r; [assumption | now apply sc_mono]|]. clear L r.
  remember (f x) as u eqn:Eu. remember (f y) as v eqn:Ev. revert x Eu.
  induction p as [u|s u w v (a & b & A & B & n) p IH]; intros x Eu.
  - rewrite (dep x y) by congruence. rewrite sc_0, Rmult_0_l. apply rel_refl.
  - rewrite (dep x a) by congruence. specialize (IH Ev b (eq_sym B)). specialize (H a b n). destruct s.
    + inversion p; subst. rewrite <- (dep b y) by congruence. now rewrite sc_1, Rmult_1_l.
    + change (S (S s)) with (1 + S s)%nat. apply rel_chain with (M b); auto; try lia.
      now rewrite sc_1, Rmult_1_l.
Qed.
Theorem maximum_over_neighbours I T (G : T -> T -> Prop) (O : I -> Type) (d : I -> metric T)
    (M : forall i, outputs O -> T -> pm (O i)) (g : I -> R) l B :
  (forall i, In i l -> 0 <= g i) -> (forall i h, In i l -> private (d i) (g i) (M i h)) ->
  (forall x y, G x y -> exists r : I -> nat, (forall i, In i l -> d i (r i) x y) /\ sum l (fun i => sc N (r i) * g i) <= B) ->
  between G B (comp M l []).
Proof.
  intros P H S x y n. destruct (S x y n) as (r & K & L). eapply rel_up; [exact L|].
  apply adaptive with (e := fun i => sc N (r i) * g i).
  - intros. apply Rmult_le_pos; [apply sc_pos | auto].
  - intros. apply H; auto.
Qed.
Theorem change_guarantee T O (G : T -> T -> Prop) g h (M : T -> pm O) : between G g M -> g <= h -> between G h M.
Proof. intros H L x y n. eapply rel_up; [exact L | auto]. Qed.

(* ---- in another notion, pair by pair: scaled before converted.  What is known of two outputs may
   need both directions ---- *)
Theorem convert T O (d : metric T) g (M : T -> pm O) (other : R -> pm O -> pm O -> Prop) (rule : R -> R) : 0 <= g ->
  (forall r x y, d r x y -> d r y x) ->
  (forall e p q, 0 <= e -> rel N e p q -> rel N e q p -> other (rule e) p q) ->
  private d g M -> forall r x y, d r x y -> other (rule (sc N r * g)) (M x) (M y).
Proof.
  intros P S C H r x y K. apply C; [apply Rmult_le_pos; [apply sc_pos | assumption] | now apply H | now apply H, S].
Qed.

(* ---- ranges of sizes: S is a choice of all sizes ---- *)
Theorem restrict S (B C : S -> Prop) (claim : S -> Prop) : (forall s, B s -> claim s) -> forall s, B s /\ C s -> claim s.
Proof. intros H s (K & _). auto. Qed.
Theorem cover_cases S J (B : J -> S -> Prop) (within : S -> Prop) T O (G : S -> T -> T -> Prop) (g : J -> S -> R) (M : S -> T -> pm O) (h : S -> R) :
  (forall j s, B j s -> between (G s) (g j s) (M s)) -> (forall s, within s -> exists j, B j s) ->
  (forall j s, B j s -> h s = g j s) ->
  forall s, within s -> between (G s) (h s) (M s).
Proof. intros H W E s K. destruct (W s K) as (j & L). rewrite (E j s L). now apply H. Qed.

(* ---- profiles ---- *)
Theorem common_distance T U (G : T -> T -> Prop) (f : T -> U) x y : G x y -> pullback (canonical (push G f)) f 1%nat x y.
Proof. intros n. exists 1%nat. split; auto. apply path1. now exists x, y. Qed.
Theorem compatible_profile I T (U : I -> Type) (G : T -> T -> Prop) (f : forall i, T -> U i) (d : forall i, metric (U i)) (c : I -> nat) :
  (forall x y, G x y -> forall i j, f i x <> f i y -> f j x <> f j y -> i = j) ->
  (forall i, sensitive (f i) (c i) (canonical G) (d i)) -> (forall i u, d i 0%nat u u) ->
  forall x y, G x y -> exists r : I -> nat, (forall i, pullback (d i) (f i) (r i) x y) /\
    (forall i j, r i <> 0%nat -> r j <> 0%nat -> i = j) /\ (forall i, (r i <= c i)%nat).
Proof.
  intros one sens zero x y n. exists (fun i => if dec (f i x = f i y) then 0%nat else c i). repeat split; intros i.
  - unfold pullback. destruct dec as [e|e]; [rewrite e; apply zero|].
    replace (c i) with (c i * 1)%nat by lia. apply sens. exists 1%nat. split; auto. now apply path1.
  - intros j. repeat destruct dec; try tauto. intros. now apply (one x y n).
  - destruct dec; lia.
Qed.
Theorem weaken_profile I T (d : I -> metric T) (G : T -> T -> Prop) (V W : (I -> nat) -> Prop) :
  (forall x y, G x y -> exists r, V r /\ forall i, d i (r i) x y) -> (forall i, upward (d i)) ->
  (forall v, V v -> exists w, W w /\ forall i, (v i <= w i)%nat) ->
  forall x y, G x y -> exists r, W r /\ forall i, d i (r i) x y.
Proof.
  intros H up K x y n. destruct (H x y n) as (v & Vv & L). destruct (K v Vv) as (w & Ww & le).
  exists w. split; auto. intros i. now apply (up i (v i)).
Qed.
End Mechanisms.

(* ... for a guarantee at distances that are real numbers, of any pseudometric: the quotient by f is the least
   sum along chains of pairs, of which each begins where the one before it ends, as far as f can see *)
Inductive linked {T U} (d : R -> T -> T -> Prop) (f : T -> U) : R -> T -> T -> Prop :=
| L0 : forall x y, f x = f y -> linked d f 0 x y
| LS : forall r s x a b y, f x = f a -> d r a b -> linked d f s b y -> linked d f (r + s) x y.
Definition quotient {T U} (d : R -> T -> T -> Prop) (f : T -> U) (t : R) (x y : T) :=
  forall e, 0 < e -> exists s, s <= t + e /\ linked d f s x y.
Lemma exp_limit a b (z : R -> R) : (forall e, 0 < e -> exists c, 0 < c /\ z c <= z 0 + e) -> 0 <= b ->
  (forall c, 0 < c -> a <= exp (z c) * b) -> a <= exp (z 0) * b.
Proof.
  intros near B H. apply le_epsilon. intros e P. pose proof (exp_pos (z 0)) as X. set (v := exp (z 0) * b) in *.
  assert (V : 0 <= v) by (unfold v; nra). set (u := e / (v + 1)). assert (U : 0 < u) by (apply Rdiv_lt_0_compat; lra).
  assert (L : 0 < ln (1 + u)) by (rewrite <- ln_1; apply ln_increasing; lra).
  destruct (near _ L) as (c & C & le). specialize (H c C).
  assert (K : exp (z c) <= exp (z 0) * (1 + u)).
  { apply Rle_trans with (exp (z 0 + ln (1 + u))); [now apply exp_le|]. rewrite exp_plus, exp_ln by lra. right; ring. }
  apply Rle_trans with (exp (z 0) * (1 + u) * b); [eapply Rle_trans; [exact H|]; apply Rmult_le_compat_r; assumption|].
  replace (exp (z 0) * (1 + u) * b) with (v + v * u) by (unfold v; ring).
  assert (v * u <= e); [|lra]. apply Rle_trans with ((v + 1) * u); [nra|]. unfold u. right. field. lra.
Qed.
Theorem pushforward_metric T U O (d : R -> T -> T -> Prop) (f : T -> U) (M : T -> pm O) :
  (forall r x y, d r x y -> rel pure r (M x) (M y)) -> depends_only f M ->
  forall t x y, quotient d f t x y -> rel pure t (M x) (M y).
Proof.
  intros H dep t x y Q.
  assert (chain : forall s a b, linked d f s a b -> ind s 0 (M a) (M b)).
  { intros s a b L. induction L as [a b n|r s a u v b n D L IH].
    - rewrite (dep a b n). apply ind_refl.
    - rewrite (dep a u n). replace 0 with (0 + exp r * 0) by ring. apply ind_trans with (M v); [now apply H | assumption]. }
  intros g G. rewrite Rplus_0_r. pose proof (E_test _ (M y) g G).
  replace t with (t + 0) by ring. apply (exp_limit (E (M x) g) (E (M y) g) (fun c => t + c)); [|lra|].
  - intros e P. exists e. split; lra.
  - intros c C. destruct (Q c C) as (s & L & K). specialize (chain s x y K g G). pose proof (exp_le _ _ L). nra.
Qed.
(* ... in zCDP, at the squares of distances *)
Theorem pushforward_metric_zcdp T U O (d : R -> T -> T -> Prop) (f : T -> U) (M : T -> pm O) :
  (forall r x y, d r x y -> 0 <= r /\ rel zcdp (r * r) (M x) (M y)) -> depends_only f M ->
  forall t x y, 0 <= t -> quotient d f t x y -> rel zcdp (t * t) (M x) (M y).
Proof.
  intros H dep t x y T0 Q.
  assert (chain : forall s a b, linked d f s a b -> 0 <= s /\ forall e, 0 < e -> rel zcdp ((s + e) * (s + e)) (M a) (M b)).
  { intros s a b L. induction L as [a b n|r s a u v b n D L (S & IH)].
    - split; [lra|]. intros e P. rewrite (dep a b n). apply rel_up with 0; [nra | apply rel_refl].
    - destruct (H r u v D) as (P & K). split; [lra|]. intros e X. rewrite (dep a u n).
      replace (r + s + e) with (r + e / 2 + (s + e / 2)) by field.
      pose proof (zrel_chain O 1 (r + e / 2) (s + e / 2) (M u) (M v) (M b) ltac:(lra) ltac:(lra)) as Z. rewrite !Rmult_1_r in Z.
      apply Z; [|apply IH; lra]. apply (rel_up zcdp O (r * r)); [nra | assumption]. }
  intros s g S G. set (b := pw (E (M y) (fun o => pw (g o) s)) (/ s)).
  replace (t * t / (s - 1)) with ((fun c => (t + c) * (t + c) / (s - 1)) 0) by (cbn; field; lra).
  apply (exp_limit (E (M x) g) b (fun c => (t + c) * (t + c) / (s - 1))); [|apply pw_pos|].
  - intros e P. set (c := Rmin 1 (e * (s - 1) / (2 * t + 1))).
    assert (B : 0 < e * (s - 1) / (2 * t + 1)) by (apply Rdiv_lt_0_compat; nra).
    assert (C : 0 < c <= 1) by (unfold c, Rmin; destruct Rle_dec; lra). exists c. split; [lra|].
    assert (le : c * (2 * t + 1) <= e * (s - 1)).
    { apply Rle_trans with (e * (s - 1) / (2 * t + 1) * (2 * t + 1)); [apply Rmult_le_compat_r; [lra | apply Rmin_r]|].
      right. field. lra. }
    assert (more : 2 * t * c + c * c <= e * (s - 1)) by nra. apply Rmult_le_reg_r with (s - 1); [lra|].
    replace (((t + 0) * (t + 0) / (s - 1) + e) * (s - 1)) with (t * t + e * (s - 1)) by (field; lra).
    replace ((t + c) * (t + c) / (s - 1) * (s - 1)) with (t * t + (2 * t * c + c * c)) by (field; lra). lra.
  - intros c C. destruct (Q (c / 2) ltac:(lra)) as (r & L & K). destruct (chain r x y K) as (R0 & Z).
    specialize (Z (c / 2) ltac:(lra) s g S G). fold b in Z. eapply Rle_trans; [exact Z|].
    apply Rmult_le_compat_r; [apply pw_pos|]. apply exp_le. unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    apply Rmult_le_compat; lra.
Qed.
(* ... in Gaussian privacy *)
Theorem pushforward_metric_gaussian N T U O (d : R -> T -> T -> Prop) (f : T -> U) (M : T -> pm O) :
  (forall r x y, d r x y -> shifted (Phi N) r (M x) (M y)) -> depends_only f M ->
  forall t x y, quotient d f t x y -> shifted (Phi N) t (M x) (M y).
Proof.
  intros H dep t x y Q. apply shifted_limit. intros e P. destruct (Q e P) as (s & L & K). exists s. split; [exact L|].
  clear Q P L. induction K as [a b n|r s a u v b n D L IH].
  - rewrite (dep a b n). intros z g G B. rewrite Rminus_0_r. lra.
  - rewrite (dep a u n). apply shifted_steps with (M v); auto.
Qed.
Theorem convert_pure_approximate T O (d : metric T) eps (M : T -> pm O) : private pure d eps M ->
  forall r x y, d r x y -> ind (INR r * eps) 0 (M x) (M y).
Proof. intros H r x y K. exact (H r x y K). Qed.
Theorem convert_pure_zcdp T O (d : metric T) eps (M : T -> pm O) : 0 <= eps -> (forall r x y, d r x y -> d r y x) ->
  private pure d eps M -> forall r x y, d r x y -> rel zcdp (half_loss (INR r * eps)) (M x) (M y).
Proof. intros P S H. apply (convert pure T O d eps M (@rel zcdp O) half_loss); auto using zcdp_tanh_of_pure. Qed.
Theorem convert_zcdp_approximate T O (d : metric T) rho delta eps (M : T -> pm O) r : 0 < delta -> private zcdp d rho M ->
  (forall e, eps < e -> exists a, 1 < a /\ at_order (square r * rho) delta a <= e) ->
  forall x y, d r x y -> ind eps delta (M x) (M y).
Proof. intros D H best x y K. apply (approximate_of_zcdp_at_best_order O (square r * rho)); auto. Qed.
Theorem convert_pure_gaussian N T O (d : metric T) eps mu (M : T -> pm O) r : 0 <= mu ->
  Phi N (mu / 2) = exp (INR r * eps) / (1 + exp (INR r * eps)) -> (forall r x y, d r x y -> d r y x) ->
  private pure d eps M -> forall x y, d r x y -> rel (gaussian N) (mu * mu) (M x) (M y).
Proof.
  intros P E S H x y K. apply gaussian_is_shifted; [assumption|].
  apply gaussian_of_pure with (INR r * eps); auto; apply (H r); auto.
Qed.
(* ... and what r steps cost at once: mu is no less than the distances of quantiles at the corners *)
Theorem convert_path_gaussian N T O (G : T -> T -> Prop) eps mu (M : T -> pm O) r : 0 <= eps -> 0 <= mu ->
  (forall x y, G x y -> G y x) -> between pure G eps M ->
  (forall k z, (k < r)%nat -> Phi N z = 1 - corner_x eps k -> Phi N (z - mu) <= 1 - corner_y eps r k) ->
  forall x y, canonical G r x y -> rel (gaussian N) (mu * mu) (M x) (M y).
Proof.
  intros P Q S H corners x y (s & L & p). apply gaussian_is_shifted; [exact Q|].
  apply (gaussian_of_pure_at_distance N T O G eps mu M r) with s; auto.
  - intros a b n. split; apply H; auto.
  - intros k z K Z. specialize (corners k z K Z). lra.
Qed.
Theorem convert_path_zcdp T O (G : T -> T -> Prop) eps (M : T -> pm O) r : 0 <= eps -> (forall x y, G x y -> G y x) ->
  between pure G eps M -> forall x y, canonical G r x y -> rel zcdp (path_rho eps r) (M x) (M y).
Proof.
  intros P S H x y (s & L & p). apply (zcdp_of_pure_at_distance T O G eps M r P) with s; auto using path_sym.
  intros a b n. split; apply H; auto.
Qed.
Theorem convert_gaussian_zcdp N T O (d : metric T) mu (M : T -> pm O) r : 0 <= mu -> (forall r x y, d r x y -> d r y x) ->
  private (gaussian N) d (mu * mu) M -> forall x y, d r x y -> let m := INR r * mu in rel zcdp (m * m / 2) (M x) (M y).
Proof.
  intros P S H x y K m. assert (X : 0 <= m) by (unfold m; pose proof (pos_INR r); nra).
  apply (zcdp_half_square_of_gaussian N); [exact X|]. apply gaussian_is_shifted; [exact X|].
  replace (m * m) with (sc (gaussian N) r * (mu * mu)) by (unfold m; cbn; unfold square; ring). now apply (H r), S.
Qed.
Theorem convert_gaussian_approximate N T O (d : metric T) mu eps (M : T -> pm O) r : 0 < mu -> (1 <= r)%nat ->
  (forall r x y, d r x y -> d r y x) -> private (gaussian N) d (mu * mu) M -> forall x y, d r x y -> let m := INR r * mu in
  ind eps (Phi N (m / 2 - eps / m) - exp eps * Phi N (- m / 2 - eps / m)) (M x) (M y).
Proof.
  intros P L S H x y K m. apply (le_INR 1) in L. cbn in L. assert (X : 0 < m) by (unfold m; nra).
  apply approximate_of_gaussian; [assumption|]. apply gaussian_is_shifted; [lra|].
  replace (m * m) with (sc (gaussian N) r * (mu * mu)) by (unfold m; cbn; unfold square; ring). now apply (H r), S.
Qed.

(* ---- inequalities; every number is at least 0 ---- *)
Theorem bounded_polynomial I (monomials : list I) (a b m : I -> R) : (forall i, In i monomials -> 0 <= m i) ->
  (forall i, In i monomials -> a i <= b i) -> sum monomials (fun i => a i * m i) <= sum monomials (fun i => b i * m i).
Proof. intros P H. apply sum_le. intros i J. apply Rmult_le_compat_r; auto. Qed.
Theorem transitive a b c : a <= b -> b <= c -> a <= c.
Proof. apply Rle_trans. Qed.
Fixpoint max_of (l : list R) : R := match l with [] => 0 | x :: t => Rmax x (max_of t) end.
Theorem maximum l b : 0 <= b -> (forall a, In a l -> a <= b) -> max_of l <= b.
Proof. intros P. induction l; cbn; intros H; auto. apply Rmax_lub; auto. Qed.
Theorem some_item l a : In a l -> a <= max_of l.
Proof. induction l as [|b l IH]; [intros []|]. intros [->|J]; cbn; [apply Rmax_l | eapply Rle_trans; [auto | apply Rmax_r]]. Qed.
Fixpoint product (l : list R) : R := match l with [] => 1 | x :: t => x * product t end.
Definition total_of (l : list R) : R := sum l (fun x => x).
Theorem monotone (l l' : list R) : Forall2 (fun a b => 0 <= a <= b) l l' ->
  total_of l <= total_of l' /\ 0 <= product l <= product l' /\ max_of l <= max_of l'.
Proof.
  induction 1 as [|a b l l' H F IH]; unfold total_of in *; cbn; [lra|]. destruct IH as (S & (P & Q) & M).
  repeat split; try nra. apply Rmax_lub; [eapply Rle_trans; [|apply Rmax_l]; lra | eapply Rle_trans; [exact M | apply Rmax_r]].
Qed.
Theorem monotone_sqrt a b : 0 <= a <= b -> sqrt a <= sqrt b.
Proof. intros. apply sqrt_le_1_alt. lra. Qed.
Theorem monotone_growth a b r s : a <= b -> (r <= s)%nat -> growth a r <= growth b s.
Proof. apply growth_mono. Qed.
Theorem monotone_path_rho a b r s : 0 <= a <= b -> (r <= s)%nat -> path_rho a r <= path_rho b s.
Proof. intros P L. rewrite <- !path_sum_is by lra. now apply path_sum_up. Qed.
Theorem growth_least_path_rho eps r : 0 <= eps -> INR r * half_loss eps <= path_rho eps r.
Proof. intros P. rewrite <- path_sum_is by exact P. now apply path_sum_least. Qed.
Theorem growth_least eps r : 0 <= eps -> INR r <= growth eps r.
Proof.
  intros P. induction r; [cbn; lra|]. rewrite S_INR. cbn [growth]. pose proof (exp_ineq1_le eps).
  pose proof (growth_pos eps r). nra.
Qed.
(* growth over n steps is the sum of n powers of e^eps, from the 0th on *)
Lemma growth_sum eps n : growth eps n = sum (seq 0 n) (fun i => exp (INR i * eps)).
Proof. induction n as [|n IH]; [reflexivity|]. rewrite growth_last, IH, seq_S, sum_app. cbn [sum Nat.add]. ring. Qed.
Theorem growth_out eps n : growth eps n <= sum (seq 0 n) (fun i => exp (INR i * eps)).
Proof. rewrite growth_sum. apply Rle_refl. Qed.
Theorem growth_in eps n : sum (seq 0 n) (fun i => exp (INR i * eps)) <= growth eps n.
Proof. rewrite growth_sum. apply Rle_refl. Qed.
Theorem growth_most eps r s : 0 <= eps -> (r <= S s)%nat -> growth eps r <= INR r * exp (INR s * eps).
Proof.
  intros P. induction r as [|r IH]; intros L; [cbn; lra|]. rewrite growth_last, S_INR. specialize (IH ltac:(lia)).
  assert (exp (INR r * eps) <= exp (INR s * eps)).
  { apply exp_le, Rmult_le_compat_r; [exact P | apply le_INR; lia]. }
  lra.
Qed.
Theorem root a b : 0 <= a -> 0 <= b -> a * a <= b * b -> a <= b.
Proof. intros. nra. Qed.

(* ---- the worst choice of blocks ---- *)
Section Choices.
Context {I J : Type}.
Definition chosen (c : I -> option J) (j : J) (i : I) := c i = Some j.
Definition fits (l : list I) (n : J -> nat) (c : I -> option J) := forall j, (cnt l (chosen c j) <= n j)%nat.
Definition value (l : list I) (a : J -> I -> R) (c : I -> option J) := sum l (fun i => match c i with Some j => a j i | None => 0 end).
Definition worst_at_most l n a B := forall c, fits l n c -> value l a c <= B.
End Choices.

Lemma fits_tail I J (i : I) l (n : J -> nat) c : fits (i :: l) n c -> fits l n c.
Proof. intros H j. specialize (H j). cbn in H. lia. Qed.
Theorem choose I J (l : list I) (n : J -> nat) a j i : NoDup l -> In i l -> (1 <= n j)%nat ->
  exists c, fits l n c /\ a j i <= value l a c.
Proof.
  intros D K P. exists (fun x => if dec (x = i) then Some j else None). split.
  - intros j'. destruct (dec (j' = j)) as [->|ne].
    + eapply Nat.le_trans; [|exact P]. apply cnt_le1; auto. unfold chosen. intros x y _ _ ne X Y.
      destruct (dec (x = i)), (dec (y = i)); congruence.
    + eapply Nat.le_trans; [|apply Nat.le_0_l]. apply cnt_le0. unfold chosen. intros x _. destruct dec; congruence.
  - unfold value. right. induction l as [|x l IH]; [destruct K|]. cbn. inversion_clear D. destruct (dec (x = i)) as [->|ne].
    + rewrite sum_zero; [ring|]. intros y Y. destruct dec; [subst; contradiction | reflexivity].
    + rewrite Rplus_0_l. apply IH; auto. destruct K; [congruence | assumption].
Qed.
Theorem each_block I (l : list I) (a : I -> R) B : 0 <= B -> (forall i, In i l -> a i <= B) ->
  worst_at_most l (fun _ : unit => 1%nat) (fun _ => a) B.
Proof.
  intros P. induction l as [|i l IH]; intros H c F; [exact P|]. unfold value. cbn. destruct (c i) as [[]|] eqn:C.
  - rewrite sum_zero; [specialize (H i (or_introl eq_refl)); lra|].
    assert (Z : (cnt l (chosen c tt) <= 0)%nat).
    { specialize (F tt). cbn in F. unfold one_if in F. destruct dec as [|ne]; [lia | destruct ne; exact C]. }
    clear - Z. induction l as [|x l IH]; cbn in *; [intros _ []|]. unfold one_if in Z.
    destruct (dec (chosen c tt x)) as [|ne]; [lia|]. intros y [<-|Y]; [|apply IH; [lia | assumption]].
    destruct (c x) as [[]|] eqn:X; [destruct ne; exact X | reflexivity].
  - rewrite Rplus_0_l. apply IH; [intros; apply H; now right | now apply fits_tail with i].
Qed.
Lemma groups_sum I J (js : list J) (l : list I) (a : J -> I -> R) c m : NoDup js -> (forall j, In j js) ->
  (forall j, 0 <= m j) -> (forall j i, In i l -> a j i <= m j) ->
  value l a c <= sum js (fun j => INR (cnt l (chosen c j)) * m j).
Proof.
  intros D all P. unfold value. induction l as [|i l IH]; intros H; cbn [sum cnt].
  - apply sum_pos. intros. cbn. rewrite Rmult_0_l. lra.
  - assert (Q : forall j x, In x l -> a j x <= m j) by (intros; apply H; now right). specialize (IH Q).
    rewrite (sum_eq _ js _ (fun j => INR (one_if (chosen c j i)) * m j + INR (cnt l (chosen c j)) * m j))
      by (intros; rewrite plus_INR; ring). rewrite sum_plus.
    assert (match c i with Some j => a j i | None => 0 end <= sum js (fun j => INR (one_if (chosen c j i)) * m j)); [|lra].
    destruct (c i) as [j|] eqn:C.
    + eapply Rle_trans; [apply (H j i (or_introl eq_refl))|]. specialize (all j). clear - all P C.
      induction js as [|k js IH]; [destruct all|]. cbn [sum]. unfold one_if at 1. destruct (dec (chosen c k i)) as [e|ne].
      * assert (k = j) by (unfold chosen in e; congruence). subst. cbn. rewrite Rmult_1_l.
        assert (0 <= sum js (fun j0 => INR (one_if (chosen c j0 i)) * m j0)); [|lra].
        apply sum_pos. intros. apply Rmult_le_pos; [apply pos_INR | auto].
      * destruct all as [->|J1]; [destruct ne; exact C|]. specialize (IH J1). cbn. lra.
    + apply sum_pos. intros. apply Rmult_le_pos; [apply pos_INR | auto].
Qed.
Theorem spread I J (js : list J) (l : list I) n a m : NoDup js -> (forall j, In j js) -> (forall j, 0 <= m j) ->
  (forall j i, In i l -> a j i <= m j) -> worst_at_most l n a (sum js (fun j => INR (n j) * m j)).
Proof.
  intros D all P H c F. eapply Rle_trans; [apply groups_sum; eauto|]. apply sum_le. intros j _.
  apply Rmult_le_compat_r; auto. apply le_INR, F.
Qed.
Theorem anywhere I J P (js : list J) (l : J -> list I) (n : J -> nat) (a : J -> I -> R) (here : P -> J -> I -> Prop) B (p : P) :
  (forall j, (cnt (l j) (here p j) <= n j)%nat) ->
  (forall j, worst_at_most (l j) (fun _ : unit => n j) (fun _ => a j) (B j)) ->
  sum js (fun j => sum (l j) (fun i => if dec (here p j i) then a j i else 0)) <= sum js B.
Proof.
  intros few W. apply sum_le. intros j _. specialize (W j (fun i => if dec (here p j i) then Some tt else None)).
  unfold value in W. erewrite sum_eq; [apply W|].
  - intros []. eapply Nat.le_trans; [|apply (few j)]. apply cnt_le. unfold chosen. intros i _ H. destruct dec; [assumption | congruence].
  - intros i _. cbn beta. destruct dec; reflexivity.
Qed.
Theorem anywhere_interval (l : list Z) (here : Z -> Prop) (c low d : Z) (n : nat) : NoDup l -> (0 < c)%Z ->
  (forall i, In i l -> here i -> low <= c * i < low + d)%Z -> (d <= c * Z.of_nat n)%Z -> (cnt l here <= n)%nat.
Proof.
  intros D C H K. destruct (cnt_list Z l here D) as (s & S & <- & J).
  set (first := (- ((- low) / c))%Z). rewrite <- (seq_length n 0), <- (map_length (fun m => first + Z.of_nat m)%Z).
  apply NoDup_incl_length; [assumption|]. intros i Hi. destruct (J i Hi) as [I1 I2]. specialize (H i I1 I2).
  assert (Q := Z.div_mod (- low) c ltac:(lia)). assert (M := Z.mod_pos_bound (- low) c C).
  apply in_map_iff. exists (Z.to_nat (i - first)). assert (first <= i)%Z by (unfold first; nia).
  assert (i < first + Z.of_nat n)%Z by (unfold first; nia). split; [lia|]. apply in_seq. lia.
Qed.
Theorem squares I J (l : list I) n (a : J -> I -> R) B : (forall j i, 0 <= a j i) -> worst_at_most l n a B ->
  worst_at_most l n (fun j i => a j i * a j i) (B * B).
Proof.
  intros P H c F. specialize (H c F).
  assert (Z : 0 <= value l a c) by (apply sum_pos; intros i _; destruct (c i); [apply P | lra]).
  assert (K : value l (fun j i => a j i * a j i) c <= value l a c * value l a c); [|nra].
  clear - P. unfold value. induction l as [|i l IH]; cbn; [lra|].
  assert (0 <= sum l (fun i => match c i with Some j => a j i | None => 0 end)) by (apply sum_pos; intros x _; destruct (c x); [apply P | lra]).
  destruct (c i) as [j|]; [specialize (P j i)|]; nra.
Qed.
Lemma value_factor I J (l : list I) (a b : J -> I -> R) k c : (forall j i, a j i = k * b j i) -> value l a c = k * value l b c.
Proof. intros H. unfold value. rewrite <- sum_mult. apply sum_eq. intros i _. destruct (c i); [apply H | ring]. Qed.
Theorem factor_out I J (l : list I) n (a b : J -> I -> R) k B : 0 <= k -> (forall j i, a j i = k * b j i) ->
  worst_at_most l n b B -> worst_at_most l n a (k * B).
Proof. intros P H W c F. rewrite (value_factor _ _ _ a b k) by auto. apply Rmult_le_compat_l; auto. Qed.
Theorem factor_in I J (l : list I) n (a b : J -> I -> R) k x : (forall j i, a j i = k * b j i) ->
  (exists c, fits l n c /\ x = value l b c) -> exists c, fits l n c /\ k * x = value l a c.
Proof. intros H (c & F & ->). exists c. split; auto. symmetry. now apply value_factor. Qed.
Theorem transport I J K (js : list J) (l : list I) n m (a : J -> I -> R) (b : K -> I -> R) (plan : J -> K) B :
  NoDup js -> (forall j, In j js) -> (forall j i, a j i <= b (plan j) i) ->
  (forall k, sum js (fun j => if dec (plan j = k) then INR (n j) else 0) <= INR (m k)) ->
  worst_at_most l m b B -> worst_at_most l n a B.
Proof.
  intros D all H room W c F. set (c' := fun i => match c i with Some j => Some (plan j) | None => None end).
  assert (F' : fits l m c').
  { intros k. apply INR_le. eapply Rle_trans; [|apply room].
    apply Rle_trans with (sum js (fun j => if dec (plan j = k) then INR (cnt l (chosen c j)) else 0)).
    - clear - all. induction l as [|i l IH]; cbn [cnt].
      + apply sum_pos. intros. destruct dec; cbn; lra.
      + rewrite plus_INR. rewrite (sum_eq _ js _ (fun j => (if dec (plan j = k) then INR (one_if (chosen c j i)) else 0)
          + (if dec (plan j = k) then INR (cnt l (chosen c j)) else 0))) by (intros; destruct dec; [rewrite plus_INR|]; ring).
        rewrite sum_plus. apply Rplus_le_compat; auto. clear IH.
        assert (P : forall t, 0 <= sum t (fun j => if dec (plan j = k) then INR (one_if (chosen c j i)) else 0)).
        { intro. apply sum_pos. intros. destruct dec; [apply pos_INR | lra]. }
        unfold one_if at 1. destruct (dec (chosen c' k i)) as [e|]; [|apply P].
        unfold chosen, c' in e. destruct (c i) as [j|] eqn:C; [|discriminate]. injection e as e.
        specialize (all j). clear - all e C P. induction js as [|j0 js IH]; [destruct all|]. cbn [sum].
        specialize (P js). destruct all as [->|A].
        * destruct (dec (plan j = k)); [|tauto]. unfold one_if at 1. destruct (dec (chosen c j i)) as [|ne]; [|destruct ne; exact C]. cbn. lra.
        * specialize (IH A). destruct (dec (plan j0 = k)); [pose proof (pos_INR (one_if (chosen c j0 i)))|]; lra.
    - apply sum_le. intros j _. destruct dec; [apply le_INR, F | lra]. }
  eapply Rle_trans; [|apply (W c' F')]. apply sum_le. intros i _. unfold c'. destruct (c i); [apply H | lra].
Qed.
(* a choice is split into one that fits groups of given values, and one that fits the room that is
   left; blocks are handed out by their values *)
Fixpoint room {J} (js : list J) (P : J -> Prop) (n : J -> nat) : nat :=
  match js with [] => 0 | j :: t => (if dec (P j) then n j else 0) + room t P n end%nat.
Lemma room_some J (js : list J) P n : (1 <= room js P n)%nat -> exists j, In j js /\ P j /\ (1 <= n j)%nat.
Proof.
  induction js as [|j js IH]; cbn; [lia|]. intros L. destruct (dec (P j)) as [p|p].
  - destruct (n j) eqn:e; [destruct (IH ltac:(lia)) as (k & K & Q); eauto|]. exists j. split; [auto | split; [exact p | lia]].
  - destruct (IH L) as (k & K & Q). eauto.
Qed.
Definition less {J} (n : J -> nat) (k j : J) : nat := if dec (j = k) then pred (n j) else n j.
Lemma room_less J (js : list J) P n k : NoDup js -> (1 <= n k)%nat -> (room js P n <= room js P (less n k) + one_if (P k))%nat.
Proof.
  intros D L. induction D as [|j js A D IH]; cbn; [lia|]. unfold less at 1. destruct (dec (j = k)) as [->|ne].
  - assert (e : room js P (less n k) = room js P n).
    { clear - A. induction js as [|j js IH]; cbn; [reflexivity|]. rewrite IH by (intro; apply A; now right).
      unfold less. destruct (dec (j = k)); [destruct A; now left | reflexivity]. }
    rewrite e. unfold one_if. destruct (dec (P k)); lia.
  - destruct (dec (P j)); lia.
Qed.
Lemma room_keeps J (js : list J) (P : J -> Prop) n k : ~ P k -> room js P (less n k) = room js P n.
Proof.
  intros N. induction js as [|j js IH]; cbn; [reflexivity|]. rewrite IH. unfold less. destruct (dec (P j)), (dec (j = k)); congruence || lia.
Qed.
Definition at_value {I J} (a : J -> I -> R) (v : I -> R) (j : J) := a j = v.
Definition with_value {I J} (a : J -> I -> R) (c : I -> option J) (v : I -> R) (i : I) := exists j, c i = Some j /\ a j = v.
Definition put_at {I J} (c : I -> option J) (i : I) (j : J) (x : I) := if dec (x = i) then Some j else c x.
Lemma put_at_away I J (l : list I) (c : I -> option J) i j (F : option J -> I -> R) : ~ In i l ->
  sum l (fun x => F (put_at c i j x) x) = sum l (fun x => F (c x) x).
Proof. intros A. apply sum_eq. intros x X. unfold put_at. destruct dec; [subst; contradiction | reflexivity]. Qed.
Lemma one_if_no (P : Prop) : ~ P -> one_if P = 0%nat.
Proof. intros N. unfold one_if. now destruct (dec P). Qed.
Lemma cnt_ext I (l : list I) (P Q : I -> Prop) : (forall i, In i l -> (P i <-> Q i)) -> cnt l P = cnt l Q.
Proof. intros H. apply Nat.le_antisymm; apply cnt_le; intros i K; apply H; assumption. Qed.
Lemma split I J (js : list J) (a : J -> I -> R) : NoDup js -> (forall j, In j js) ->
  forall (l : list I) (c : I -> option J) (m : J -> nat) (left : (I -> R) -> nat), NoDup l ->
  (forall v, (cnt l (with_value a c v) <= room js (at_value a v) m + left v)%nat) ->
  exists c1 c2, fits l m c1 /\ (forall v, (cnt l (with_value a c2 v) <= left v)%nat) /\ value l a c = value l a c1 + value l a c2.
Proof.
  intros D all l. induction l as [|i l IH]; intros c m left N H.
  - exists c, c. repeat split; unfold fits, value; cbn; intros; lia || lra.
  - inversion_clear N as [|? ? A N']. destruct (c i) as [j|] eqn:C.
    + assert (here : with_value a c (a j) i) by (exists j; auto).
      assert (K : (1 <= room js (at_value a (a j)) m + left (a j))%nat).
      { specialize (H (a j)). cbn in H. unfold one_if in H. destruct dec; [lia | contradiction]. }
      assert (V : value (i :: l) a c = a j i + value l a c) by (unfold value; cbn; now rewrite C).
      destruct (Nat.le_gt_cases 1 (room js (at_value a (a j)) m)) as [L|L].
      * destruct (room_some _ _ _ _ L) as (k & _ & e & L'). unfold at_value in e.
        destruct (IH c (less m k) left N') as (c1 & c2 & F1 & F2 & W).
        { intros v. specialize (H v). cbn in H. destruct (dec (a k = v)) as [ev|nv].
          - pose proof (room_less _ js (at_value a v) m k D L') as Q. unfold one_if in H, Q.
            destruct (dec (with_value a c v i)) as [|n]; [|destruct n; exists j; split; congruence].
            destruct (dec (at_value a v k)); lia.
          - rewrite (room_keeps _ js (at_value a v) m k nv). lia. }
        exists (put_at c1 i k), (fun x => if dec (x = i) then None else c2 x). repeat split.
        -- intros x. cbn. specialize (F1 x).
           rewrite (cnt_ext I l _ (chosen c1 x)) by (intros y Y; unfold chosen, put_at; destruct (dec (y = i)); [subst; contradiction | tauto]).
           unfold less in F1. unfold one_if. destruct (dec (chosen (put_at c1 i k) x i)) as [p|p].
           ++ unfold chosen, put_at in p. destruct (dec (i = i)); [|congruence]. injection p as ->. destruct (dec (x = x)); [|congruence]. lia.
           ++ destruct (dec (x = k)); lia.
        -- intros v. cbn. specialize (F2 v).
           rewrite (cnt_ext I l _ (with_value a c2 v)) by (intros y Y; unfold with_value; destruct (dec (y = i)); [subst; contradiction | tauto]).
           rewrite one_if_no; [exact F2|]. intros (x & p & _). destruct (dec (i = i)); congruence.
        -- rewrite V, W. unfold value. cbn. unfold put_at at 1. destruct (dec (i = i)); [|congruence].
           rewrite (put_at_away I J l c1 i k (fun o x => match o with Some j => a j x | None => 0 end)) by assumption.
           rewrite (sum_eq _ l (fun x => match (if dec (x = i) then None else c2 x) with Some j => a j x | None => 0 end)
             (fun x => match c2 x with Some j => a j x | None => 0 end)) by (intros y Y; destruct (dec (y = i)); [subst; contradiction | reflexivity]).
           rewrite e. ring.
      * destruct (IH c m (fun v => if dec (v = a j) then pred (left v) else left v) N') as (c1 & c2 & F1 & F2 & W).
        { intros v. specialize (H v). cbn in H. unfold one_if in H. destruct (dec (v = a j)) as [->|nv].
          - destruct (dec (with_value a c (a j) i)); [lia | contradiction].
          - lia. }
        exists (fun x => if dec (x = i) then None else c1 x), (put_at c2 i j). repeat split.
        -- intros x. cbn. specialize (F1 x).
           rewrite (cnt_ext I l _ (chosen c1 x)) by (intros y Y; unfold chosen; destruct (dec (y = i)); [subst; contradiction | tauto]).
           rewrite one_if_no; [exact F1|]. unfold chosen. destruct (dec (i = i)); congruence.
        -- intros v. cbn. specialize (F2 v). cbv beta in F2.
           rewrite (cnt_ext I l _ (with_value a c2 v)) by (intros y Y; unfold with_value, put_at; destruct (dec (y = i)); [subst; contradiction | tauto]).
           unfold one_if. destruct (dec (with_value a (put_at c2 i j) v i)) as [(x & p & q)|n].
           ++ unfold put_at in p. destruct (dec (i = i)); [|congruence]. injection p as <-. subst v. destruct (dec (a j = a j)); [lia | congruence].
           ++ destruct (dec (v = a j)) as [->|]; [|lia]. destruct n. exists j. unfold put_at. destruct (dec (i = i)); auto. congruence.
        -- rewrite V, W. unfold value. cbn. unfold put_at at 1. destruct (dec (i = i)); [|congruence].
           rewrite (put_at_away I J l c2 i j (fun o x => match o with Some j => a j x | None => 0 end)) by assumption.
           rewrite (sum_eq _ l (fun x => match (if dec (x = i) then None else c1 x) with Some j => a j x | None => 0 end)
             (fun x => match c1 x with Some j => a j x | None => 0 end)) by (intros y Y; destruct (dec (y = i)); [subst; contradiction | reflexivity]).
           ring.
    + destruct (IH c m left N') as (c1 & c2 & F1 & F2 & W).
      { intros v. specialize (H v). cbn in H. lia. }
      exists (fun x => if dec (x = i) then None else c1 x), (fun x => if dec (x = i) then None else c2 x). repeat split.
      * intros x. cbn. specialize (F1 x).
        rewrite (cnt_ext I l _ (chosen c1 x)) by (intros y Y; unfold chosen; destruct (dec (y = i)); [subst; contradiction | tauto]).
        rewrite one_if_no; [exact F1|]. unfold chosen. destruct (dec (i = i)); congruence.
      * intros v. cbn. specialize (F2 v).
        rewrite (cnt_ext I l _ (with_value a c2 v)) by (intros y Y; unfold with_value; destruct (dec (y = i)); [subst; contradiction | tauto]).
        rewrite one_if_no; [exact F2|]. intros (x & p & _). destruct (dec (i = i)); congruence.
      * unfold value in *. cbn. rewrite C, W. destruct (dec (i = i)); [|congruence].
        rewrite (sum_eq _ l (fun x => match (if dec (x = i) then None else c1 x) with Some j => a j x | None => 0 end)
          (fun x => match c1 x with Some j => a j x | None => 0 end)) by (intros y Y; destruct (dec (y = i)); [subst; contradiction | reflexivity]).
        rewrite (sum_eq _ l (fun x => match (if dec (x = i) then None else c2 x) with Some j => a j x | None => 0 end)
          (fun x => match c2 x with Some j => a j x | None => 0 end)) by (intros y Y; destruct (dec (y = i)); [subst; contradiction | reflexivity]).
        ring.
Qed.
Lemma cnt_groups I J (l : list I) (t : list J) (P : I -> Prop) (Q : J -> Prop) (R : J -> I -> Prop) :
  (forall i, In i l -> P i -> exists j, In j t /\ Q j /\ R j i) -> (cnt l P <= room t Q (fun j => cnt l (R j)))%nat.
Proof.
  induction l as [|i l IH]; intros H; cbn [cnt]; [lia|].
  specialize (IH (fun x X => H x (or_intror X))).
  assert (M : forall t, (room t Q (fun j => cnt l (R j)) <= room t Q (fun j => one_if (R j i) + cnt l (R j)))%nat)
    by (clear; induction t as [|y t IH]; cbn; [lia|]; destruct dec; lia).
  unfold one_if at 1. destruct (dec (P i)) as [p|]; [|eapply Nat.le_trans; [exact IH | apply M]].
  destruct (H i (or_introl eq_refl) p) as (j & K & q & r). clear H.
  assert (L : (1 + room t Q (fun j => cnt l (R j)) <= room t Q (fun j => one_if (R j i) + cnt l (R j)))%nat); [|lia].
  clear IH. induction t as [|x t IH]; [destruct K|]. cbn [room]. specialize (M t). destruct K as [->|K].
  - unfold one_if at 1. destruct (dec (Q j)); [|contradiction]. destruct (dec (R j i)); [lia | contradiction].
  - specialize (IH K). destruct (dec (Q x)); lia.
Qed.
Fixpoint rooms {J P} (copies : list P) (js : list J) (Q : J -> Prop) (m : P -> J -> nat) : nat :=
  match copies with [] => 0 | p :: t => room js Q (m p) + rooms t js Q m end%nat.
Lemma share_copies I J P (js : list J) (l : list I) (a : J -> I -> R) (m : P -> J -> nat) (B : P -> R) : NoDup js -> (forall j, In j js) -> NoDup l ->
  forall copies, (forall p, In p copies -> worst_at_most l (m p) a (B p)) ->
  forall c, (forall v, (cnt l (with_value a c v) <= rooms copies js (at_value a v) m)%nat) -> value l a c <= sum copies B.
Proof.
  intros D all N copies. induction copies as [|p copies IH]; intros W c F; cbn in *.
  - right. apply sum_zero. intros i K. destruct (c i) as [j|] eqn:C; [|reflexivity]. exfalso. specialize (F (a j)).
    assert (X : (1 <= cnt l (with_value a c (a j)))%nat); [|lia]. clear F W.
    induction l as [|x l IH]; [destruct K|]. cbn. inversion_clear N. destruct K as [->|K]; [|specialize (IH H0 K); lia].
    unfold one_if. destruct dec as [|n]; [lia|]. destruct n. now exists j.
  - destruct (split I J js a D all l c (m p) _ N F) as (c1 & c2 & F1 & F2 & ->).
    pose proof (W p (or_introl eq_refl) c1 F1). assert (value l a c2 <= sum copies B) by (apply IH; auto). lra.
Qed.
Theorem share I J P (js : list J) (l : list I) n (a : J -> I -> R) (pieces : list P) (times : P -> nat) (m : P -> J -> nat) (B : P -> R) :
  NoDup js -> (forall j, In j js) -> NoDup l ->
  (forall j, (room js (at_value a (a j)) n <= list_sum (map (fun p => times p * room js (at_value a (a j)) (m p)) pieces))%nat) ->
  (forall p, In p pieces -> worst_at_most l (m p) a (B p)) ->
  worst_at_most l n a (sum pieces (fun p => INR (times p) * B p)).
Proof.
  intros D all N H W c F. set (copies := flat_map (fun p => repeat p (times p)) pieces).
  assert (R : forall Q, rooms copies js Q m = list_sum (map (fun p => times p * room js Q (m p)) pieces)%nat).
  { intro Q. unfold copies, list_sum. clear. induction pieces as [|p t IH]; cbn; [reflexivity|]. rewrite <- IH.
    induction (times p) as [|k IK]; cbn; [reflexivity|]. rewrite IK. lia. }
  assert (S : sum copies B = sum pieces (fun p => INR (times p) * B p)).
  { unfold copies. clear. induction pieces as [|p t IH]; cbn [flat_map sum]; [reflexivity|]. rewrite sum_app, IH. f_equal.
    induction (times p) as [|k IK]; [cbn; ring|]. cbn [repeat sum]. rewrite IK, S_INR. ring. }
  rewrite <- S. apply (share_copies I J P js l a m B D all N).
  - intros p K. apply W. unfold copies in K. apply in_flat_map in K. destruct K as (q & Q & K). apply repeat_spec in K. now subst.
  - intro v. rewrite R. destruct (classic (exists j, a j = v)) as [(j & <-)|no].
    + eapply Nat.le_trans; [|apply H]. eapply Nat.le_trans; [apply (cnt_groups I J l js _ (at_value a (a j)) (chosen c))|].
      * intros i _ (x & X & e). exists x. auto.
      * clear - F. induction js as [|x t IH]; cbn; [lia|]. specialize (F x). destruct dec; lia.
    + eapply Nat.le_trans; [apply cnt_le0 | apply Nat.le_0_l]. intros i _ (j & _ & e). apply no. now exists j.
Qed.
(* ---- what neighbours do, case by case: an edit, or one of the sets of blocks that it reaches.  A
   block holds some touched records of a case, which make its kind, or none; each record is in at
   most so many blocks of a map; and a part sees a block of each kind from at most so far.  Numbers
   of blocks of each kind that these facts allow go into the groups of one of the vectors. ---- *)
Lemma deal I J K (ks : list K) : NoDup ks -> forall (l : list I) (c : I -> option J) (flow : J -> K -> nat), NoDup l ->
  (forall j, (cnt l (chosen c j) <= room ks (fun _ => True) (flow j))%nat) ->
  exists c' : I -> option (J * K), fits l (fun x => flow (fst x) (snd x)) c' /\
    forall i, In i l -> match c i, c' i with
      | None, None => True | Some j, Some (x, k) => x = j /\ In k ks /\ (1 <= flow j k)%nat | _, _ => False end.
Proof.
  intros D. induction l as [|i l IH]; intros c flow N H.
  - exists (fun _ => None). split; [intros x; cbn; lia | intros i []].
  - inversion_clear N as [|? ? A N']. destruct (c i) as [j|] eqn:C.
    + assert (here : one_if (chosen c j i) = 1%nat) by (unfold one_if; destruct dec as [|n]; [reflexivity | destruct n; exact C]).
      assert (L : (1 <= room ks (fun _ => True) (flow j))%nat) by (specialize (H j); cbn in H; lia).
      destruct (room_some _ _ _ _ L) as (k & K' & _ & P).
      set (flow' := fun x => if dec (x = j) then less (flow x) k else flow x).
      assert (le : forall x y, (flow' x y <= flow x y)%nat).
      { intros x y. unfold flow', less. destruct (dec (x = j)), (dec (y = k)); lia. }
      destruct (IH c flow' N') as (c' & F & W).
      { intros x. specialize (H x). cbn in H. unfold flow'. destruct (dec (x = j)) as [->|]; [|lia].
        pose proof (room_less _ ks (fun _ => True) (flow j) k D P) as Q. unfold one_if in Q. destruct (dec True); lia. }
      exists (put_at c' i (j, k)). split.
      * intros (x, y). cbn [cnt fst snd]. specialize (F (x, y)). cbn [fst snd] in F.
        rewrite (cnt_ext I l _ (chosen c' (x, y))) by (intros z Z; unfold chosen, put_at; destruct (dec (z = i)); [subst; contradiction | tauto]).
        destruct (dec ((x, y) = (j, k))) as [e|ne].
        -- injection e as -> ->. unfold flow', less in F. destruct (dec (j = j)), (dec (k = k)); try congruence.
           unfold one_if. destruct dec; lia.
        -- rewrite one_if_no; [specialize (le x y); lia|]. unfold chosen, put_at. destruct (dec (i = i)); congruence.
      * intros x [<-|X]; unfold put_at.
        -- rewrite C. destruct (dec (i = i)); [auto | congruence].
        -- destruct (dec (x = i)); [subst; contradiction|]. specialize (W x X). destruct (c x) as [u|], (c' x) as [(v, w)|]; auto.
           destruct W as (e & Iw & P'). specialize (le u w). repeat split; auto. lia.
    + destruct (IH c flow N') as (c' & F & W).
      { intros j. specialize (H j). cbn in H. lia. }
      exists (fun x => if dec (x = i) then None else c' x). split.
      * intros x. cbn. specialize (F x).
        rewrite (cnt_ext I l _ (chosen c' x)) by (intros y Y; unfold chosen; destruct (dec (y = i)); [subst; contradiction | tauto]).
        rewrite one_if_no; [exact F|]. unfold chosen. destruct (dec (i = i)); congruence.
      * intros x [<-|X]; [rewrite C; destruct (dec (i = i)); [exact Logic.I | congruence]|].
        destruct (dec (x = i)); [subst; contradiction | now apply W].
Qed.
Section Combinations.
Context {I Map Part Case Record Kind Vector Group T : Type}.
Variables (blocks : Map -> list I) (map_of : Part -> Map) (d : Part -> I -> metric T).
Variables (kinds : list Kind) (groups : list Group) (has : Kind -> Record -> Prop).
Variables (in_at_most : Case -> Map -> Record -> nat) (far : Case -> Part -> Kind -> nat).
Variables (room_of : Vector -> Map -> Group -> nat) (seen : Vector -> Part -> Group -> nat).
Definition combination := Map -> Kind -> nat.
Definition possible (e : Case) (k : combination) := forall m a, (room kinds (fun t => has t a) (k m) <= in_at_most e m a)%nat.
Definition goes_below (e : Case) (k : combination) (v : Vector) := forall m, exists flow : Kind -> Group -> nat,
  (forall t, (k m t <= room groups (fun _ => True) (flow t))%nat \/ forall p, map_of p = m -> far e p t = 0%nat) /\
  (forall g, (room kinds (fun _ => True) (fun t => flow t g) <= room_of v m g)%nat) /\
  forall t g p, map_of p = m -> (1 <= flow t g)%nat -> (far e p t <= seen v p g)%nat.
Definition differ_at_most (v : Vector) (x y : T) := forall m, exists c : I -> option Group,
  fits (blocks m) (room_of v m) c /\
  forall p i, map_of p = m -> In i (blocks m) -> match c i with Some g => d p i (seen v p g) x y | None => d p i 0%nat x y end.
End Combinations.
Theorem compose_profile I Map Part Case Record Kind Vector Group T (blocks : Map -> list I) (map_of : Part -> Map) (d : Part -> I -> metric T)
    (kinds : list Kind) (groups : list Group) (has : Kind -> Record -> Prop) in_at_most far room_of seen
    (G : T -> T -> Prop) (case : Case -> T -> T -> Prop) (hold : Case -> T -> T -> Map -> I -> option Kind)
    (never : Case -> combination -> Prop) (vectors : list Vector) :
  (forall m, NoDup (blocks m)) -> NoDup kinds -> (forall t, In t kinds) -> NoDup groups -> (forall p i, upward (d p i)) ->
  (forall x y, G x y -> exists e, case e x y) ->
  (forall e x y, case e x y -> forall p i, In i (blocks (map_of p)) ->
     match hold e x y (map_of p) i with Some t => d p i (far e p t) x y | None => d p i 0%nat x y end) ->
  (forall e x y, case e x y -> forall m a,
     (cnt (blocks m) (fun i => exists t, hold e x y m i = Some t /\ has t a) <= in_at_most e m a)%nat) ->
  (forall e x y, case e x y -> ~ never e (fun m t => cnt (blocks m) (chosen (hold e x y m) t))) ->
  (forall e k, possible (Record := Record) kinds has in_at_most e k -> never e k \/ exists v, In v vectors /\ goes_below map_of kinds groups far room_of seen e k v) ->
  forall x y, G x y -> exists v, In v vectors /\ differ_at_most blocks map_of d room_of seen v x y.
Proof.
  intros nd kd all gd up cases sees counts rare combos x y n. destruct (cases x y n) as (e & C).
  specialize (sees e x y C). specialize (counts e x y C). specialize (rare e x y C).
  set (h := hold e x y) in *. set (k := fun m t => cnt (blocks m) (chosen (h m) t)) in *.
  destruct (combos e k) as [Z|(v & V & below)]; [|contradiction|].
  { intros m a. eapply Nat.le_trans; [|apply (counts m a)]. unfold k.
    assert (S : forall l : list I, (room kinds (fun t => has t a) (fun t => cnt l (chosen (h m) t)) <= cnt l (fun i => exists t, h m i = Some t /\ has t a))%nat).
    { clear - kd. induction l as [|i l IH]; cbn [cnt].
      - clear. induction kinds; cbn; [lia|]. destruct dec; assumption.
      - assert (A : (room kinds (fun t => has t a) (fun t => one_if (chosen (h m) t i)) <= one_if (exists t, h m i = Some t /\ has t a))%nat).
        { clear - kd. induction kd as [|t ts A D IH]; cbn; [lia|]. destruct (dec (has t a)) as [q|]; [|assumption].
          unfold one_if at 1. destruct (dec (chosen (h m) t i)) as [c|]; [|assumption].
          replace (room ts _ _) with 0%nat; [unfold one_if; destruct dec as [|no]; [lia | destruct no; exists t; auto]|].
          symmetry. clear IH D. induction ts as [|u us IH]; cbn; [reflexivity|]. rewrite IH by (intro; apply A; now right).
          rewrite one_if_no; [now destruct dec|]. unfold chosen in *. intro. apply A. left. congruence. }
        assert (B : forall u w, room kinds (fun t => has t a) (fun t => u t + w t)%nat = (room kinds (fun t => has t a) u + room kinds (fun t => has t a) w)%nat).
        { clear. intros u w. induction kinds; cbn; [reflexivity|]. destruct dec; lia. }
        rewrite B. lia. }
    apply S. }
  exists v. split; [assumption|].
  intro m. destruct (below m) as (flow & enough & small & ok).
  set (c := fun i => match h m i with
    | Some t => if dec (forall p, map_of p = m -> far e p t = 0%nat) then None else Some t | None => None end).
  assert (sub : forall i t, chosen c t i -> h m i = Some t /\ ~ forall p, map_of p = m -> far e p t = 0%nat).
  { intros i t. unfold chosen, c. destruct (h m i) as [u|]; [|discriminate]. destruct dec; [discriminate|]. intros Q. injection Q as <-. auto. }
  destruct (deal I Kind Group groups gd (blocks m) c flow (nd m)) as (c' & F & W).
  { intro t. destruct (enough t) as [L|zero].
    - eapply Nat.le_trans; [|exact L]. apply cnt_le. intros i _ Q. now apply sub.
    - eapply Nat.le_trans; [apply cnt_le0 | apply Nat.le_0_l]. intros i _ Q. now apply sub in Q. }
  exists (fun i => match c' i with Some (_, g) => Some g | None => None end). split.
  - intro g. eapply Nat.le_trans; [|apply small].
    eapply Nat.le_trans; [apply (cnt_groups I Kind (blocks m) kinds _ (fun _ => True) (fun t i => chosen c' (t, g) i))|].
    + intros i _ Q. unfold chosen in *. destruct (c' i) as [(t, u)|]; [|discriminate]. injection Q as <-. exists t. auto.
    + clear - F. induction kinds as [|t ts IH]; cbn [room]; [lia|].
      assert (cnt (blocks m) (fun i => chosen c' (t, g) i) <= flow t g)%nat by exact (F (t, g)). destruct (dec True); lia.
  - intros p i <- Ii. specialize (W i Ii). specialize (sees p i Ii). fold h in sees. unfold c in W.
    destruct (h (map_of p) i) as [t|].
    + destruct (dec (forall q, map_of q = map_of p -> far e q t = 0%nat)) as [z|].
      * destruct (c' i); [destruct W|]. now rewrite (z p eq_refl) in sees.
      * destruct (c' i) as [(u, g)|]; [|destruct W]. destruct W as (-> & _ & P). apply (up p i (far e p t)); auto.
    + destruct (c' i); [destruct W | exact sees].
Qed.
(* ... where the numbers of the blocks mean something: for some place with the facts, the blocks that
   change are among those with a condition *)
Theorem compose_profile_together I Part Place T (d : Part -> I -> metric T) (G : T -> T -> Prop)
    (facts : Place -> Prop) (condition : Place -> Part -> I -> Prop) (far : Part -> nat) :
  (forall x y, G x y -> exists p, facts p /\ forall a i, d a i (far a) x y /\ (d a i 0%nat x y \/ condition p a i)) ->
  forall x y, G x y -> exists p r, facts p /\ forall a i, d a i (r a i) x y /\ (r a i <= far a)%nat /\ (r a i <> 0%nat -> condition p a i).
Proof.
  intros H x y n. destruct (H x y n) as (p & F & K). exists p, (fun a i => if dec (d a i 0%nat x y) then 0%nat else far a).
  split; [assumption|]. intros a i. destruct (K a i) as (L & C). destruct dec; repeat split; auto; tauto || lia.
Qed.
(* ... where the blocks of a map share what they see: each its weight of what one block could see *)
Definition weights {I} (l : list I) (c : nat) (w : I -> R) := (forall i, In i l -> 0 <= w i <= 1) /\ sum l w <= INR c.
Definition shared {I Part T} (l : list I) (d : Part -> I -> metric T) (c : nat) (far : Part -> nat) (x y : T) :=
  exists w, weights l c w /\ forall p i, In i l -> exists r, d p i r x y /\ INR r <= w i * INR (far p).
Theorem compose_profile_shared I Part Case Vector T (l : list I) (d : Part -> I -> metric T) (G : T -> T -> Prop) (case : Case -> T -> T -> Prop)
    (count : Case -> nat) (far : Case -> Part -> nat) (vectors : list Vector) (room_of : Vector -> nat) (seen : Vector -> Part -> nat) :
  (forall x y, G x y -> exists e, case e x y) ->
  (forall e x y, case e x y -> shared l d (count e) (far e) x y) ->
  (forall e, exists v, In v vectors /\ (count e <= room_of v)%nat /\ forall p, (far e p <= seen v p)%nat) ->
  forall x y, G x y -> exists v, In v vectors /\ shared l d (room_of v) (seen v) x y.
Proof.
  intros cases shares below x y n. destruct (cases x y n) as (e & C). destruct (shares e x y C) as (w & (W & S) & K).
  destruct (below e) as (v & V & L & F). exists v. split; [exact V|]. exists w. split.
  - split; [exact W|]. apply le_INR in L. lra.
  - intros p i Ii. destruct (K p i Ii) as (r & D & B). exists r. split; [exact D|]. specialize (F p). apply le_INR in F.
    specialize (W i Ii). nra.
Qed.
(* what they cost then: no more than the worst c of them that see all of it, if losses are convex in the distance *)
Lemma worst_of_weights I (a : I -> R) (l : list I) (w : I -> R) : (forall i, In i l -> 0 <= a i) -> (forall i, In i l -> 0 <= w i <= 1) ->
  forall n f, 0 <= f <= 1 -> sum l w <= INR n + f -> sum l (fun i => w i * a i) <= (1 - f) * worst n l a + f * worst (S n) l a.
Proof.
  intros P. induction l as [|i l IH]; intros W n f F S.
  - cbn [sum]. pose proof (worst_pos n I [] a). pose proof (worst_pos (Datatypes.S n) I [] a). nra.
  - assert (Pl : forall j, In j l -> 0 <= a j) by (intros; apply P; now right).
    assert (Wl : forall j, In j l -> 0 <= w j <= 1) by (intros; apply W; now right).
    specialize (IH Pl Wl). cbn [sum] in *. destruct (W i (or_introl eq_refl)) as (w0 & w1). pose proof (P i (or_introl eq_refl)) as a0.
    assert (R0 : 0 <= sum l w) by (apply sum_pos; intros; now apply Wl).
    assert (up : forall m, worst m l a <= worst m (i :: l) a) by (intro m; destruct m; [rewrite !worst_zero; lra | cbn [worst]; apply Rmax_l]).
    assert (take : forall m, a i + worst m l a <= worst (Datatypes.S m) (i :: l) a) by (intro m; cbn [worst]; apply Rmax_r).
    destruct (Rle_dec (w i) f) as [L|L].
    + specialize (IH n (f - w i) ltac:(lra) ltac:(lra)). pose proof (up n) as u. pose proof (up (Datatypes.S n)) as v. pose proof (take n) as t.
      assert (w i * (a i + worst n l a) <= w i * worst (Datatypes.S n) (i :: l) a) by (apply Rmult_le_compat_l; lra).
      assert ((1 - f) * worst n l a <= (1 - f) * worst n (i :: l) a) by (apply Rmult_le_compat_l; lra).
      assert ((f - w i) * worst (Datatypes.S n) l a <= (f - w i) * worst (Datatypes.S n) (i :: l) a) by (apply Rmult_le_compat_l; lra).
      lra.
    + destruct n as [|n]; [cbn [INR] in S; lra|]. rewrite S_INR in S.
      specialize (IH n (1 + f - w i) ltac:(lra) ltac:(lra)). pose proof (up (Datatypes.S n)) as u. pose proof (take n) as t. pose proof (take (Datatypes.S n)) as t'.
      assert (f * (a i + worst (Datatypes.S n) l a) <= f * worst (Datatypes.S (Datatypes.S n)) (i :: l) a) by (apply Rmult_le_compat_l; lra).
      assert ((w i - f) * (a i + worst n l a) <= (w i - f) * worst (Datatypes.S n) (i :: l) a) by (apply Rmult_le_compat_l; lra).
      assert ((1 - w i) * worst (Datatypes.S n) l a <= (1 - w i) * worst (Datatypes.S n) (i :: l) a) by (apply Rmult_le_compat_l; lra).
      lra.
Qed.
Theorem maximum_over_neighbours_shared I Part (l : list I) (parts : list Part) (cost : Part -> I -> nat -> R) c w (far : Part -> nat) (r : Part -> I -> nat) :
  (forall p i n, 0 <= cost p i n) -> (forall p i, cost p i 0%nat = 0) ->
  (forall p i m n, (m <= n)%nat -> INR n * cost p i m <= INR m * cost p i n) ->
  weights l c w -> (forall p i, In i l -> INR (r p i) <= w i * INR (far p)) ->
  sum l (fun i => sum parts (fun p => cost p i (r p i))) <= worst c l (fun i => sum parts (fun p => cost p i (far p))).
Proof.
  intros P zero convex (W & S) K.
  eapply Rle_trans; [|eapply Rle_trans; [apply (worst_of_weights I (fun i => sum parts (fun p => cost p i (far p))) l w) with (n := c) (f := 0)|]].
  - apply sum_le. intros i Ii. rewrite <- sum_mult. apply sum_le. intros p _. specialize (K p i Ii). destruct (W i Ii) as (w0 & w1).
    assert (L : (r p i <= far p)%nat) by (apply INR_le; pose proof (pos_INR (far p)); nra).
    specialize (convex p i _ _ L). specialize (P p i (far p)). destruct (far p) as [|n] eqn:E.
    + replace (r p i) with 0%nat by lia. rewrite zero. nra.
    + assert (N : 0 < INR (Datatypes.S n)) by (apply lt_0_INR; lia). apply Rmult_le_reg_l with (INR (Datatypes.S n)); [exact N|].
      eapply Rle_trans; [exact convex|]. nra.
  - intros i _. apply sum_pos. auto.
  - exact W.
  - lra.
  - lra.
  - lra.
Qed.
(* such losses are r eps, r^2 rho, and delta growth(eps, r) *)
Theorem maximum_over_neighbours_convex eps r n : 0 <= eps -> (r <= n)%nat ->
  INR n * sc pure r <= INR r * sc pure n /\ INR n * sc zcdp r <= INR r * sc zcdp n /\ INR n * growth eps r <= INR r * growth eps n.
Proof.
  intros P L. split; [cbn; lra | split; [|now apply growth_share]]. cbn. unfold square. apply le_INR in L.
  pose proof (pos_INR r). pose proof (pos_INR n).
  assert (0 <= INR r * INR n * (INR n - INR r)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra). nra.
Qed.
(* ... where what neighbours do is a mean of some ways, each with its own blocks *)
Definition mean_of {I Part Way T} (l : list I) (d : Part -> I -> metric T) (ways : list Way) (seen : Way -> Part -> I -> nat) (x y : T) :=
  exists w, (forall v, In v ways -> 0 <= w v) /\ sum ways w <= 1 /\
    forall p i, In i l -> exists r, d p i r x y /\ INR r <= sum ways (fun v => w v * INR (seen v p i)).
Theorem compose_profile_mean I Part Case Way T (l : list I) (d : Part -> I -> metric T) (G : T -> T -> Prop) (case : Case -> T -> T -> Prop)
    (allowed : Case -> list Way -> Prop) (seen : Way -> Part -> I -> nat) :
  (forall x y, G x y -> exists e, case e x y) ->
  (forall e x y, case e x y -> exists ways, allowed e ways /\ mean_of l d ways seen x y) ->
  forall x y, G x y -> exists e ways, allowed e ways /\ mean_of l d ways seen x y.
Proof. intros cases K x y n. destruct (cases x y n) as (e & C). exists e. now apply K. Qed.
(* ... such as the records that an edit names, each with the blocks that hold it, all with one weight *)
Theorem compose_profile_mean_of_records I Part Record T (l : list I) (d : Part -> I -> metric T) (records : list Record)
    (holds : Record -> I -> Prop) (seen : Record -> Part -> nat) (x y : T) : records <> [] ->
  (forall p i, In i l -> exists r, d p i r x y /\
    INR (length records) * INR r <= sum records (fun v => INR (if dec (holds v i) then seen v p else 0%nat))) ->
  mean_of l d records (fun v p i => if dec (holds v i) then seen v p else 0%nat) x y.
Proof.
  intros some H. assert (N : 0 < INR (length records)) by (apply lt_0_INR; destruct records; [congruence | cbn; lia]).
  exists (fun _ => / INR (length records)). split; [|split].
  - intros v _. now apply Rlt_le, Rinv_0_lt_compat.
  - assert (E : forall c (t : list Record), sum t (fun _ => c) = INR (length t) * c).
    { intros c t. induction t as [|v t IH]; cbn [sum length]; [cbn; ring | rewrite IH, S_INR; ring]. }
    rewrite E, Rinv_r; lra.
  - intros p i Ii. destruct (H p i Ii) as (r & D & B). exists r. split; [exact D|].
    rewrite sum_mult. apply Rmult_le_reg_l with (INR (length records)); [exact N|]. rewrite <- Rmult_assoc, Rinv_r; lra.
Qed.
(* a loss that is convex in the distance has a line below it that meets it, at each distance *)
Definition convex (f : nat -> R) := f 0%nat = 0 /\ forall r, exists g, 0 <= g /\ forall s, f r + g * (INR s - INR r) <= f s.
Lemma mean_of_convex Way (ways : list Way) (w : Way -> R) (s : Way -> nat) f r : convex f -> (forall v, In v ways -> 0 <= w v) ->
  sum ways w <= 1 -> INR r <= sum ways (fun v => w v * INR (s v)) -> f r <= sum ways (fun v => w v * f (s v)).
Proof.
  intros (zero & line) P one L. destruct (line r) as (g & G & H). pose proof (H 0%nat) as low. rewrite zero in low. cbn [INR] in low.
  assert (K : sum ways (fun v => w v * (f r + g * (INR (s v) - INR r))) <= sum ways (fun v => w v * f (s v))).
  { apply sum_le. intros v V. apply Rmult_le_compat_l; [now apply P | apply H]. }
  assert (E : sum ways (fun v => w v * (f r + g * (INR (s v) - INR r))) =
    (f r - g * INR r) * sum ways w + g * sum ways (fun v => w v * INR (s v))).
  { clear. induction ways as [|v t IH]; cbn; [ring|]. rewrite IH. ring. }
  nra.
Qed.
Theorem maximum_over_neighbours_mean I Part Way (l : list I) (parts : list Part) (cost : Part -> I -> nat -> R) (ways : list Way) w
    (seen : Way -> Part -> I -> nat) (r : Part -> I -> nat) B : 0 <= B -> (forall p i, convex (cost p i)) ->
  (forall v, In v ways -> 0 <= w v) -> sum ways w <= 1 ->
  (forall p i, In i l -> INR (r p i) <= sum ways (fun v => w v * INR (seen v p i))) ->
  (forall v, In v ways -> sum l (fun i => sum parts (fun p => cost p i (seen v p i))) <= B) ->
  sum l (fun i => sum parts (fun p => cost p i (r p i))) <= B.
Proof.
  intros PB C P one L each.
  apply Rle_trans with (sum l (fun i => sum parts (fun p => sum ways (fun v => w v * cost p i (seen v p i))))).
  { apply sum_le. intros i J. apply sum_le. intros p _. apply mean_of_convex; auto. }
  assert (swap : forall A C (a : list A) (c : list C) (f : A -> C -> R), sum a (fun x => sum c (f x)) = sum c (fun y => sum a (fun x => f x y))).
  { intros A C0 a c f. induction a as [|x a IH]; cbn; [symmetry; now apply sum_zero|]. rewrite IH, <- sum_plus. reflexivity. }
  rewrite (sum_eq _ l _ (fun i => sum ways (fun v => w v * sum parts (fun p => cost p i (seen v p i))))).
  - rewrite swap. apply Rle_trans with (sum ways (fun v => w v * B)).
    + apply sum_le. intros v V. rewrite sum_mult. apply Rmult_le_compat_l; auto.
    + rewrite (sum_eq _ ways _ (fun v => B * w v)) by (intros; ring). rewrite sum_mult. nra.
  - intros i _. rewrite swap. apply sum_eq. intros v _. now rewrite sum_mult.
Qed.
Lemma growth_line e r s : 0 <= e -> growth e r + exp (INR r * e) * (INR s - INR r) <= growth e s.
Proof.
  intros P. destruct (Nat.le_ge_cases r s) as [L|L].
  - induction L as [|s L IH]; [lra|]. rewrite growth_last, S_INR. apply le_INR in L.
    assert (exp (INR r * e) <= exp (INR s * e)) by (apply exp_le; nra). lra.
  - induction L as [|r L IH]; [lra|]. rewrite growth_last, S_INR. apply le_INR in L. pose proof (pos_INR r).
    assert (exp (INR r * e) <= exp ((INR r + 1) * e)) by (apply exp_le; nra). pose proof (exp_pos (INR r * e)). nra.
Qed.
Theorem maximum_over_neighbours_lines eps g : 0 <= eps -> 0 <= g ->
  convex (fun r => sc pure r * g) /\ convex (fun r => sc zcdp r * g) /\ convex (fun r => growth eps r * g).
Proof.
  intros P G. repeat split; try (cbn; unfold square; cbn; ring); intro r.
  - exists g. split; [exact G|]. intro s. cbn. lra.
  - exists (2 * INR r * g). split; [pose proof (pos_INR r); nra|]. intro s. cbn. unfold square.
    assert (0 <= g * ((INR s - INR r) * (INR s - INR r))) by (apply Rmult_le_pos; [exact G | apply Rle_0_sqr]). nra.
  - exists (exp (INR r * eps) * g). split; [pose proof (exp_pos (INR r * eps)); nra|]. intro s.
    pose proof (growth_line eps r s P). nra.
Qed.
(* the blocks in the order of x, the largest first: s are the multiples that a choice on the left
   gives them, t those on the right, of which each n first sum up to at least as much *)
Fixpoint weighted (s x : list R) : R := match s, x with a :: s, b :: x => a * b + weighted s x | _, _ => 0 end.
Fixpoint first (n : nat) (s : list R) : R := match n, s with S n, a :: s => a + first n s | _, _ => 0 end.
Fixpoint decreasing (x : list R) : Prop := match x with a :: (b :: _) as t => b <= a /\ decreasing t | _ => True end.
Theorem abel (s t x : list R) : length s = length x -> length t = length x -> decreasing x -> Forall (fun a => 0 <= a) x ->
  (forall n, first n s <= first n t) -> weighted s x <= weighted t x.
Proof.
  (* with what the first ones have left over in hand *)
  enough (G : forall x s t d, length s = length x -> length t = length x -> decreasing x -> Forall (fun a => 0 <= a) x ->
    (forall n, first n s <= first n t + d) -> weighted s x <= weighted t x + d * match x with a :: _ => a | [] => 0 end).
  { intros A B C P H. specialize (G x s t 0 A B C P). rewrite Rmult_0_l, Rplus_0_r in G. apply G. intro n. specialize (H n). lra. }
  clear s t x. induction x as [|a x IH]; intros [|s0 s] [|t0 t] d A B C P H; try discriminate; cbn [weighted].
  - lra.
  - inversion_clear P. assert (D : decreasing x) by (destruct x; [exact I | apply C]).
    assert (K : forall n, first n s <= first n t + (t0 - s0 + d)) by (intro n; specialize (H (S n)); cbn in H; lra).
    specialize (IH s t (t0 - s0 + d) ltac:(cbn in A; lia) ltac:(cbn in B; lia) D H1 K).
    assert (Z : 0 <= t0 - s0 + d) by (specialize (K 0%nat); destruct s, t; cbn in K; lra).
    destruct x as [|b x]; [nra|]. destruct C as (L & _). nra.
Qed.
Theorem induction (a F : nat -> R) : (forall i, a i <= F 1%nat) -> (forall k i, (1 <= k)%nat -> F k + a i <= F (S k)) ->
  forall k, (1 <= k)%nat -> sum (seq 1 k) a <= F k.
Proof.
  intros base step k. induction k as [|k IH]; [lia|]. intros _. destruct k; [cbn; specialize (base 1%nat); lra|].
  rewrite seq_S, sum_app. cbn [sum]. specialize (IH ltac:(lia)). specialize (step (S k) (1 + S k)%nat ltac:(lia)). lra.
Qed.
