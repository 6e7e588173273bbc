(* Random outputs, and when two of them are (eps, delta)-indistinguishable.

   A random output is its expectation: a positive, linear functional on bounded functions that
   gives 1 to the function 1.  Every distribution on finitely or countably many outputs is one
   (Discrete.v), so that what is proved here holds for those in particular. *)
From Coq Require Import Reals Lra Lia List Classical.
From Coq Require ClassicalDedekindReals.
Open Scope R_scope.

(* Every proposition is decided, from the axioms of the real numbers. *)
Definition dec (P : Prop) : {P} + {~ P}.
Proof. destruct (ClassicalDedekindReals.sig_not_dec P) as [n|n]; [left; now apply NNPP | now right]. Defined.

Definition bounded {O} (f : O -> R) := exists b, forall o, Rabs (f o) <= b.
Definition test {O} (g : O -> R) := forall o, 0 <= g o <= 1.

Record pm (O : Type) := PM {
  E : (O -> R) -> R;
  E_mono : forall f g, bounded f -> bounded g -> (forall o, f o <= g o) -> E f <= E g;
  E_plus : forall f g, bounded f -> bounded g -> E (fun o => f o + g o) = E f + E g;
  E_mult : forall a f, bounded f -> E (fun o => a * f o) = a * E f;
  E_one : E (fun _ => 1) = 1 }.
Arguments E {O} _ _. Arguments PM {O} _ _ _ _ _.
Arguments E_mono {O} _ _ _ _ _ _. Arguments E_plus {O} _ _ _ _ _.
Arguments E_mult {O} _ _ _ _. Arguments E_one {O} _.

(* ---- bounded functions ---- *)
Lemma bounded_between O (f : O -> R) a b : (forall o, a <= f o <= b) -> bounded f.
Proof.
  intros H. exists (Rmax (Rabs a) (Rabs b)). intro o. destruct (H o).
  unfold Rmax, Rabs. repeat destruct Rcase_abs; destruct Rle_dec; lra.
Qed.
Lemma bounded_test O (g : O -> R) : test g -> bounded g.
Proof. intros T. now apply bounded_between with 0 1. Qed.
Lemma bounded_const O a : bounded (fun _ : O => a).
Proof. exists (Rabs a). intros; lra. Qed.
Lemma bounded_plus O (f g : O -> R) : bounded f -> bounded g -> bounded (fun o => f o + g o).
Proof.
  intros (a & A) (b & B). exists (a + b). intro o. pose proof (Rabs_triang (f o) (g o)).
  specialize (A o). specialize (B o). lra.
Qed.
Lemma bounded_mult O a (f : O -> R) : bounded f -> bounded (fun o => a * f o).
Proof.
  intros (b & B). exists (Rabs a * b). intro o. rewrite Rabs_mult.
  apply Rmult_le_compat_l; [apply Rabs_pos | auto].
Qed.
#[export] Hint Resolve bounded_test bounded_const bounded_plus bounded_mult : bounded.

Lemma E_ext O (p : pm O) f g : bounded f -> bounded g -> (forall o, f o = g o) -> E p f = E p g.
Proof. intros. apply Rle_antisym; apply E_mono; auto; intro o; rewrite H1; lra. Qed.
Lemma E_const O (p : pm O) a : E p (fun _ => a) = a.
Proof.
  transitivity (a * E p (fun _ => 1)); [|rewrite E_one; ring].
  rewrite <- E_mult by apply bounded_const. apply E_ext; auto with bounded. intros; ring.
Qed.
Lemma E_affine O (p : pm O) a b f : bounded f -> E p (fun o => a * f o + b) = a * E p f + b.
Proof. intros. rewrite E_plus, E_mult, E_const; auto with bounded. Qed.
Lemma E_between O (p : pm O) f a b : (forall o, a <= f o <= b) -> a <= E p f <= b.
Proof.
  intros H. pose proof (bounded_between _ f a b H). split.
  - rewrite <- (E_const _ p a). apply E_mono; auto with bounded. apply H.
  - rewrite <- (E_const _ p b). apply E_mono; auto with bounded. apply H.
Qed.
Lemma E_test O (p : pm O) g : test g -> 0 <= E p g <= 1.
Proof. apply E_between. Qed.

(* ---- a sure output, and an output that is drawn after another ---- *)
Definition dirac {O} (o : O) : pm O.
Proof. refine (PM (fun g => g o) _ _ _ _); auto. Defined.
Lemma bounded_bind O P (k : O -> pm P) g : bounded g -> bounded (fun o => E (k o) g).
Proof.
  intros (b & B). apply bounded_between with (- b) b. intro o. apply E_between.
  intro x. specialize (B x). revert B. unfold Rabs. destruct Rcase_abs; lra.
Qed.
#[export] Hint Resolve bounded_bind : bounded.
Definition bind {O P} (p : pm O) (k : O -> pm P) : pm P.
Proof.
  refine (PM (fun g => E p (fun o => E (k o) g)) _ _ _ _).
  - intros f g F G H. apply E_mono; auto with bounded. intro o. now apply E_mono.
  - intros f g F G. rewrite <- E_plus; auto with bounded. apply E_ext; auto with bounded.
    intro o. now apply E_plus.
  - intros a f F. rewrite <- E_mult; auto with bounded. apply E_ext; auto with bounded.
    intro o. now apply E_mult.
  - transitivity (E p (fun _ => 1)); [|apply E_one].
    apply E_ext; auto with bounded. intro o. apply E_one.
Defined.

(* ---- (eps, delta): of tests, and of events ---- *)
Definition ind {O} (eps delta : R) (p q : pm O) :=
  forall g, test g -> E p g <= exp eps * E q g + delta.
Definition event {O} (S : O -> Prop) : O -> R := fun o => if dec (S o) then 1 else 0.
Definition prob {O} (p : pm O) (S : O -> Prop) : R := E p (event S).
Lemma event_test O (S : O -> Prop) : test (event S).
Proof. intro o. unfold event. destruct dec; lra. Qed.

(* The number of 1 .. n that are at most y is n, or the integer below y. *)
Fixpoint steps (n : nat) (y : R) : R :=
  match n with O => 0 | S m => steps m y + (if dec (INR n <= y) then 1 else 0) end.
Lemma steps_close n y : 0 <= y ->
  steps n y <= y /\ steps n y <= INR n /\ (steps n y = INR n \/ y < steps n y + 1).
Proof.
  intros Y. induction n as [|n (L & M & H)]; [cbn; lra|].
  cbn [steps]. rewrite S_INR in *. destruct (dec (INR n + 1 <= y)) as [i|i].
  - assert (steps n y = INR n) by (destruct H; lra). lra.
  - split; [lra|split; [lra|right; destruct H; lra]].
Qed.
Fixpoint layers {O} (n m : nat) (g : O -> R) (p : pm O) : R :=
  match n with
  | O => 0
  | S i => layers i m g p + prob p (fun o => INR n <= INR m * g o)
  end.
Lemma steps_bounded O n (h : O -> R) : bounded (fun o => steps n (h o)).
Proof.
  apply bounded_between with 0 (INR n). intro o. induction n; [cbn; lra|].
  cbn [steps]. rewrite S_INR in *. destruct dec; lra.
Qed.
Lemma layers_steps O n m g (p : pm O) : layers n m g p = E p (fun o => steps n (INR m * g o)).
Proof.
  induction n; cbn [layers steps]; [now rewrite E_const|].
  rewrite E_plus, IHn; auto using steps_bounded.
  apply bounded_test. intro o. destruct dec; lra.
Qed.

(* (eps, delta) of all events is (eps, delta) of all tests: the textbook definition *)
Theorem ind_events O eps delta (p q : pm O) :
  ind eps delta p q <-> forall S, prob p S <= exp eps * prob q S + delta.
Proof.
  split; [intros H S; apply H, event_test|]. intros H g T.
  apply Rnot_lt_le. intro N. pose proof (exp_pos eps) as X.
  set (gap := E p g - (exp eps * E q g + delta)) in *. assert (0 < gap) by (unfold gap; lra).
  destruct (archimed_cor1 gap H0) as (m & small & pos).
  assert (M : 0 < INR m) by now apply lt_0_INR.
  assert (near : forall r : pm O, layers m m g r <= INR m * E r g <= layers m m g r + 1).
  { intro r. rewrite layers_steps. rewrite <- E_mult by auto with bounded.
    assert (forall o, steps m (INR m * g o) <= INR m * g o <= steps m (INR m * g o) + 1).
    { intro o. destruct (T o). assert (0 <= INR m * g o) by nra.
      destruct (steps_close m (INR m * g o) H3) as (A & _ & [B|B]); nra. }
    pose proof (steps_bounded O m (fun o => INR m * g o)).
    split.
    - apply E_mono; auto with bounded. apply H1.
    - rewrite <- (E_const _ r 1) at 1. rewrite <- E_plus; auto with bounded.
      apply E_mono; auto with bounded. apply H1. }
  assert (L : forall n, layers n m g p <= exp eps * layers n m g q + INR n * delta).
  { induction n; cbn [layers]; [cbn; lra|]. rewrite S_INR.
    specialize (H (fun o => INR n + 1 <= INR m * g o)). lra. }
  specialize (L m). destruct (near p), (near q).
  assert (INR m * E p g <= INR m * (exp eps * E q g + delta) + 1) by nra.
  assert (INR m * gap <= 1) by (unfold gap; nra).
  assert (/ INR m * INR m = 1) by (apply Rinv_l; lra). nra.
Qed.

Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [H|H]; [left; now apply exp_increasing | subst; right; auto]. Qed.
Lemma ind_refl O (p : pm O) : ind 0 0 p p.
Proof. intros g _. rewrite exp_0. lra. Qed.
Lemma ind_weaken O e e' d d' (p q : pm O) : e <= e' -> d <= d' -> ind e d p q -> ind e' d' p q.
Proof.
  intros He Hd H g T. specialize (H g T). pose proof (E_test _ q g T).
  pose proof (exp_le e e' He). nra.
Qed.
Lemma ind_trans O e e' d d' (p q r : pm O) :
  ind e d p q -> ind e' d' q r -> ind (e + e') (d + exp e * d') p r.
Proof.
  intros H H' g T. specialize (H g T). specialize (H' g T).
  rewrite exp_plus. pose proof (exp_pos e). nra.
Qed.

(* two mechanisms, the second of which reads what the first one put out *)
Theorem ind_bind O P e1 d1 e2 d2 (p q : pm O) (k k' : O -> pm P) : 0 <= d2 ->
  ind e1 d1 p q -> (forall o, ind e2 d2 (k o) (k' o)) ->
  ind (e1 + e2) (d1 + d2) (bind p k) (bind q k').
Proof.
  intros Hd H K g T. cbn.
  set (m := fun o => Rmin 1 (exp e2 * E (k' o) g)).
  assert (Tm : test m).
  { intro o. unfold m. pose proof (E_test _ (k' o) g T). pose proof (exp_pos e2).
    unfold Rmin. destruct Rle_dec; nra. }
  assert (A : E p (fun o => E (k o) g) <= E p (fun o => 1 * m o + d2)).
  { apply E_mono; auto with bounded. intro o. specialize (K o g T).
    pose proof (E_test _ (k o) g T). unfold m, Rmin. destruct Rle_dec; lra. }
  assert (B : E q m <= E q (fun o => exp e2 * E (k' o) g + 0)).
  { apply E_mono; auto with bounded. intro o. unfold m.
    pose proof (Rmin_r 1 (exp e2 * E (k' o) g)). lra. }
  rewrite E_affine in A by auto with bounded. rewrite E_affine in B by auto with bounded.
  specialize (H m Tm). rewrite exp_plus. pose proof (exp_pos e1). nra.
Qed.
(* what is computed from the output, at random or not *)
Theorem ind_post O P e d (p q : pm O) (k : O -> pm P) : ind e d p q -> ind e d (bind p k) (bind q k).
Proof. intros H g T. cbn. apply H. intro o. now apply E_test. Qed.
