(* Notions of privacy with one parameter, and the laws that a composition needs of them.

   [rel N e p q] says that the outputs p and q differ by at most e.  The laws are proved for eps-DP
   ([pure]) and for zero-concentrated differential privacy ([zcdp]), with nothing assumed. *)
From Coq Require Import Reals Lra Lia Classical.
From Dpcomp Require Import Measure.
Open Scope R_scope.

Record notion := Notion {
  rel : forall O : Type, R -> pm O -> pm O -> Prop;
  sc : nat -> R;                         (* a guarantee e is sc r * e at distance r *)
  sc_0 : sc 0 = 0;
  sc_1 : sc 1 = 1;
  sc_mono : forall r s, (r <= s)%nat -> sc r <= sc s;
  sc_mult : forall r s, sc (r * s) = sc r * sc s;
  rel_refl : forall O (p : pm O), rel O 0 p p;
  rel_up : forall O e e' (p q : pm O), e <= e' -> rel O e p q -> rel O e' p q;
  rel_bind : forall O P e e' (p q : pm O) (k k' : O -> pm P), 0 <= e -> 0 <= e' -> rel O e p q ->
    (forall o, rel P e' (k o) (k' o)) -> rel P (e + e') (bind p k) (bind q k');
  rel_chain : forall O e a b (p q r : pm O), 0 <= e -> (0 < a)%nat -> (0 < b)%nat ->
    rel O (sc a * e) p q -> rel O (sc b * e) q r -> rel O (sc (a + b) * e) p r }.
Arguments rel _ {O} _ _ _.

Lemma sc_pos N r : 0 <= sc N r.
Proof. rewrite <- (sc_0 N). apply sc_mono. lia. Qed.

(* ---- eps-DP ---- *)
Definition pure : notion.
Proof.
  refine (Notion (fun O e p q => ind e 0 p q) INR eq_refl eq_refl _ _ _ _ _ _).
  - intros. now apply le_INR.
  - apply mult_INR.
  - intros. apply ind_refl.
  - intros. eapply ind_weaken; [eassumption | right; reflexivity | assumption].
  - intros. replace 0 with (0 + 0) by ring. apply ind_bind; auto with real.
  - intros O e a b p q r _ _ _ H K. rewrite plus_INR, Rmult_plus_distr_r.
    replace 0 with (0 + exp (INR a * e) * 0) by ring. now apply ind_trans with q.
Defined.
(* what it says, of events *)
Theorem pure_events O e (p q : pm O) :
  rel pure e p q <-> forall S, prob p S <= exp e * prob q S.
Proof.
  cbn. rewrite ind_events. split; intros H S; specialize (H S); lra.
Qed.

(* ---- zCDP.  That the Renyi divergence of every order a = s/(s-1) > 1 of p from q is at most
   rho * a says the same as: for every bounded g >= 0,
       E p g <= exp (rho/(s-1)) * (E q (g^s))^(1/s)
   (Hoelder's inequality, with equality at g = (p/q)^(a-1)).  In this form nothing is divided. ---- *)
Definition pw (x s : R) : R := if dec (0 < x) then exp (s * ln x) else 0.
Lemma pw_pos x s : 0 <= pw x s.
Proof. unfold pw. destruct dec; [left; apply exp_pos | lra]. Qed.
Lemma pw_mono x y s : 0 <= s -> x <= y -> pw x s <= pw y s.
Proof.
  intros S L. unfold pw. destruct (dec (0 < x)), (dec (0 < y)); try lra.
  - apply exp_le. apply Rmult_le_compat_l; [assumption|].
    destruct L as [L|L]; [left; now apply ln_increasing | subst; right; auto].
  - left. apply exp_pos.
Qed.
Lemma pw_pw x s t : pw (pw x s) t = pw x (s * t).
Proof.
  unfold pw at 1 3. destruct (dec (0 < x)) as [X|X].
  - assert (P : pw x s = exp (s * ln x)) by (unfold pw; destruct dec; tauto). rewrite P.
    destruct dec as [Y|Y]; [|destruct Y; apply exp_pos]. rewrite ln_exp. f_equal. ring.
  - assert (P : pw x s = 0) by (unfold pw; destruct dec; tauto). rewrite P.
    destruct dec; [lra | reflexivity].
Qed.
Lemma pw_one x : 0 <= x -> pw x 1 = x.
Proof. intros X. unfold pw. destruct dec; [rewrite Rmult_1_l; now apply exp_ln | lra]. Qed.
Lemma pw_mult a x s : 0 < a -> pw (a * x) s = pw a s * pw x s.
Proof.
  intros A. unfold pw. destruct (dec (0 < a)); [|tauto].
  destruct (dec (0 < x)), (dec (0 < a * x)); try nra.
  - rewrite ln_mult by assumption. rewrite <- exp_plus. f_equal. ring.
Qed.
Lemma pw_exp a s : pw (exp a) s = exp (a * s).
Proof. unfold pw. destruct dec as [X|X]; [rewrite ln_exp; f_equal; ring | destruct X; apply exp_pos]. Qed.

Definition nonneg {O} (g : O -> R) := bounded g /\ forall o, 0 <= g o.
Lemma nonneg_pw O (g : O -> R) s : 0 <= s -> nonneg g -> nonneg (fun o => pw (g o) s).
Proof.
  intros S ((b & B) & P). split; [|intro; apply pw_pos].
  apply bounded_between with 0 (pw b s). intro o. split; [apply pw_pos|].
  apply pw_mono; auto. eapply Rle_trans; [apply Rle_abs | apply B].
Qed.
Lemma nonneg_E O (p : pm O) g : nonneg g -> 0 <= E p g.
Proof. intros (B & P). rewrite <- (E_const _ p 0). apply E_mono; auto with bounded. Qed.
Lemma nonneg_bind O P (k : O -> pm P) g : nonneg g -> nonneg (fun o => E (k o) g).
Proof. intros H. split; [apply bounded_bind, H | intro; now apply nonneg_E]. Qed.

(* the mean of the powers is at least the power of the mean: by tangents *)
Lemma tangent x m s : 0 <= x -> 0 < m -> 1 < s ->
  x <= / s * exp ((1 - s) * ln m) * pw x s + (1 - / s) * m.
Proof.
  intros X M S. assert (I : 0 < / s < 1).
  { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  unfold pw. destruct (dec (0 < x)) as [P|P]; [|replace x with 0 by lra; nra].
  rewrite Rmult_assoc, <- exp_plus.
  set (a := (1 - s) * ln m + s * ln x). set (l := ln x).
  assert (A : exp l * (1 + (a - l)) <= exp a).
  { replace a with (l + (a - l)) at 2 by ring. rewrite exp_plus.
    pose proof (exp_pos l). pose proof (exp_ineq1_le (a - l)). nra. }
  assert (B : exp l * (1 + (ln m - l)) <= m).
  { rewrite <- (exp_ln m M) at 2. replace (ln m) with (l + (ln m - l)) at 2 by ring.
    rewrite exp_plus. pose proof (exp_pos l). pose proof (exp_ineq1_le (ln m - l)). nra. }
  assert (L : exp l = x) by (unfold l; now apply exp_ln). rewrite L in A, B.
  assert (Z : / s * (a - l) + (1 - / s) * (ln m - l) = 0) by (unfold a, l; field; lra).
  assert (x = / s * (x * (1 + (a - l))) + (1 - / s) * (x * (1 + (ln m - l)))).
  { transitivity (x * (1 + (/ s * (a - l) + (1 - / s) * (ln m - l)))); [rewrite Z|]; ring. }
  nra.
Qed.
Lemma power_mean O (p : pm O) g s : 1 < s -> nonneg g -> E p g <= pw (E p (fun o => pw (g o) s)) (/ s).
Proof.
  intros S G. assert (G' := nonneg_pw _ g s ltac:(lra) G). destruct G as (B & P).
  set (F := E p (fun o => pw (g o) s)). assert (0 <= F) by now apply nonneg_E.
  apply Rle_plus_epsilon || apply le_epsilon. intros e X.
  set (m := pw F (/ s) + e). assert (M : 0 < m) by (unfold m; pose proof (pw_pos F (/ s)); lra).
  assert (J : E p g <= E p (fun o => (/ s * exp ((1 - s) * ln m)) * pw (g o) s + (1 - / s) * m)).
  { apply E_mono; [assumption | |intro; now apply tangent].
    apply bounded_plus; [apply bounded_mult, G' | apply bounded_const]. }
  rewrite E_affine in J by apply G'. fold F in J.
  assert (K : F <= exp (s * ln m)).
  { assert (L : pw (pw F (/ s)) s <= pw m s) by (apply pw_mono; unfold m; lra).
    rewrite pw_pw, Rinv_l, pw_one in L by lra. unfold pw in L. destruct dec; tauto. }
  assert (D : exp ((1 - s) * ln m) * exp (s * ln m) = m).
  { rewrite <- exp_plus. replace ((1 - s) * ln m + s * ln m) with (ln m) by ring. now apply exp_ln. }
  assert (0 < / s) by (apply Rinv_0_lt_compat; lra). pose proof (exp_pos ((1 - s) * ln m)).
  assert (/ s * exp ((1 - s) * ln m) * F <= / s * m).
  { rewrite <- D at 2. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. nra. }
  fold m. lra.
Qed.

Definition zrel {O} (rho : R) (p q : pm O) := forall s g, 1 < s -> nonneg g ->
  E p g <= exp (rho / (s - 1)) * pw (E q (fun o => pw (g o) s)) (/ s).

(* triangles, at distances x and y that are real numbers *)
Lemma zrel_chain O e x y (p q r : pm O) : 0 < x -> 0 < y ->
  zrel (x * x * e) p q -> zrel (y * y * e) q r -> zrel ((x + y) * (x + y) * e) p r.
Proof.
  intros A B H K G g HG Hg.
  set (s := 1 + (G - 1) * (x / (x + y))). set (t := G / s).
  assert (Q : 0 < x / (x + y) < 1).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (x + y); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (S : 1 < s) by (unfold s; nra). assert (SG : s < G) by (unfold s; nra).
  assert (T : 1 < t).
  { unfold t. apply Rmult_lt_reg_r with s; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (ST : s * t = G) by (unfold t; field; lra).
  assert (Gs := nonneg_pw _ g s ltac:(lra) Hg).
  specialize (H s g S Hg). specialize (K t _ T Gs).
  assert (I : 0 < / s) by (apply Rinv_0_lt_compat; lra).
  apply (pw_mono _ _ (/ s)) in K; [|lra]. rewrite pw_mult in K by apply exp_pos.
  rewrite pw_pw, pw_exp in K.
  rewrite (E_ext _ r (fun o => pw (pw (g o) s) t) (fun o => pw (g o) G)) in K.
  + replace (/ t * / s) with (/ G) in K by (rewrite <- ST; field; lra).
    eapply Rle_trans; [exact H|]. eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos | exact K]|].
    rewrite <- Rmult_assoc, <- exp_plus. apply Rmult_le_compat_r; [apply pw_pos|]. apply exp_le.
    right. unfold t, s. field. repeat split; try lra; nra.
  + apply nonneg_pw; [lra | assumption].
  + apply nonneg_pw; [lra | assumption].
  + intro o. rewrite pw_pw, ST. reflexivity.
Qed.

Definition square (r : nat) := INR r * INR r.
Definition zcdp : notion.
Proof.
  refine (Notion (@zrel) square _ _ _ _ _ _ _ _); unfold square.
  - cbn. ring.
  - cbn. ring.
  - intros r s L. apply le_INR in L. pose proof (pos_INR r). nra.
  - intros. rewrite mult_INR. ring.
  - intros O p s g S G. replace (0 / (s - 1)) with 0 by (field; lra). rewrite exp_0, Rmult_1_l.
    now apply power_mean.
  - intros O e e' p q L H s g S G. eapply Rle_trans; [now apply (H s g)|].
    apply Rmult_le_compat_r; [apply pw_pos|]. apply exp_le. unfold Rdiv.
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | assumption].
  - intros O P e e' p q k k' _ _ H K s g S G. cbn.
    assert (I : 0 < / s) by (apply Rinv_0_lt_compat; lra).
    assert (Gs := nonneg_pw _ g s ltac:(lra) G).
    set (h := fun o => pw (E (k' o) (fun x => pw (g x) s)) (/ s)).
    assert (Hh : nonneg h) by (apply (nonneg_pw _ (fun o => E (k' o) (fun x => pw (g x) s)));
      [lra | now apply nonneg_bind]).
    assert (A : E p (fun o => E (k o) g) <= exp (e' / (s - 1)) * E p h).
    { rewrite <- E_mult by apply Hh. apply E_mono.
      - apply bounded_bind, G.
      - apply bounded_mult, Hh.
      - intro o. now apply K. }
    specialize (H s h S Hh).
    rewrite (E_ext _ q (fun o => pw (h o) s) (fun o => E (k' o) (fun x => pw (g x) s))) in H.
    + unfold Rdiv in *. rewrite Rmult_plus_distr_r, exp_plus.
      pose proof (exp_pos (e' * / (s - 1))). nra.
    + apply nonneg_pw; [lra | assumption].
    + apply bounded_bind, Gs.
    + intro o. unfold h. rewrite pw_pw, Rinv_l, pw_one by (try lra; now apply nonneg_E). reflexivity.
  - intros O e a b p q r He Ha Hb H K. rewrite plus_INR.
    apply zrel_chain with q; auto; now apply lt_0_INR.
Defined.

(* ---- (eps, delta): two parameters, and how both grow with the distance ---- *)
Fixpoint growth (eps : R) (r : nat) : R :=    (* 1 + e^eps + ... + e^((r-1) eps) *)
  match r with O => 0 | S n => 1 + exp eps * growth eps n end.
Lemma growth_pos eps r : 0 <= growth eps r.
Proof. induction r; cbn [growth]; [lra|]. pose proof (exp_pos eps). nra. Qed.
Lemma growth_mono eps eps' r s : eps <= eps' -> (r <= s)%nat -> growth eps r <= growth eps' s.
Proof.
  intros X L. apply Rle_trans with (growth eps s).
  - clear X. revert s L. induction r; intros s L; cbn [growth]; [apply growth_pos|].
    destruct s; [lia|]. cbn [growth]. assert (growth eps r <= growth eps s) by (apply IHr; lia).
    pose proof (exp_pos eps). nra.
  - clear L. induction s; cbn [growth]; [lra|]. pose proof (exp_le _ _ X).
    pose proof (growth_pos eps s). pose proof (exp_pos eps). nra.
Qed.
