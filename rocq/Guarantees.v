(* Guarantees of any form: numbers, pairs such as (eps, delta), and curves such as a Renyi divergence for
   each order.  What a composition needs of them are four laws; the bound from what neighbours do to the
   parts follows from these alone.  They are proved for all notions of Notions.v, for (eps, delta), and
   for Renyi divergences. *)
From Coq Require Import Reals Lra Lia List Classical.
From Dpcomp Require Import Measure Notions Compose.
Import ListNotations.
Open Scope R_scope.

Record guarantees := Guarantees {
  loss : Type;
  none : loss;
  plus : loss -> loss -> loss;
  far : nat -> loss -> loss;               (* what a guarantee between neighbours is at distance r *)
  valid : loss -> Prop;
  at_most : loss -> loss -> Prop;
  close : forall O : Type, loss -> pm O -> pm O -> Prop;
  valid_none : valid none;
  valid_plus : forall a b, valid a -> valid b -> valid (plus a b);
  valid_far : forall r a, valid a -> valid (far r a);
  far_0 : forall a, far 0 a = none;
  far_1 : forall a, far 1 a = a;
  (* the four laws: nothing changes, more is allowed, one after the other, a longer path *)
  close_refl : forall O (p : pm O), close O none p p;
  close_up : forall O a b (p q : pm O), at_most a b -> close O a p q -> close O b p q;
  close_bind : forall O P a b (p q : pm O) (k l : O -> pm P), valid a -> valid b -> close O a p q ->
    (forall o, close P b (k o) (l o)) -> close P (plus a b) (bind p k) (bind q l);
  close_far : forall O a r (p q s : pm O), valid a -> (1 <= r)%nat ->
    close O a p q -> close O (far r a) q s -> close O (far (S r) a) p s }.
Arguments none {_}. Arguments plus {_} _ _. Arguments far {_} _ _. Arguments valid {_} _. Arguments at_most {_} _ _.
Arguments close _ {O} _ _ _.

Section Composed.
Variable N : guarantees.
Fixpoint total {I} (l : list I) (g : I -> loss N) : loss N := match l with [] => none | i :: t => plus (g i) (total t g) end.
Lemma valid_total I (l : list I) g : (forall i, In i l -> valid (g i)) -> valid (total l g).
Proof. induction l; cbn; intros H; [apply valid_none | apply valid_plus; auto]. Qed.
Theorem group_of_laws O T (G : T -> T -> Prop) a (M : T -> pm O) : valid a -> (forall D E, G D E -> close N a (M D) (M E)) ->
  forall r D E, path G r D E -> close N (far r a) (M D) (M E).
Proof.
  intros V H r D E. induction 1 as [D|r D F E n p IH]; [rewrite far_0; apply close_refl|]. destruct r.
  - inversion p; subst. rewrite far_1. auto.
  - apply close_far with (M F); auto; lia.
Qed.
Theorem adaptive_of_laws I T (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) l h D E (g : I -> loss N) :
  (forall i, In i l -> valid (g i)) -> (forall i h, In i l -> close N (g i) (M i h D) (M i h E)) ->
  close N (total l g) (comp M l h D) (comp M l h E).
Proof.
  intros V H. revert h. induction l as [|i l IH]; intros h; cbn -[bind]; [apply close_refl|].
  apply close_bind; [apply V; now left | apply valid_total; intros; apply V; now right | apply H; now left |].
  intros o. apply IH; intros; [apply V | apply H]; now right.
Qed.
Theorem profile_of_laws I T (G : T -> T -> Prop) (U : I -> Type) (Gi : forall i, U i -> U i -> Prop)
    (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> U i -> pm (O i)) (g : I -> loss N) l B :
  (forall i, In i l -> valid (g i)) ->
  (forall i h F F', In i l -> Gi i F F' -> close N (g i) (M i h F) (M i h F')) ->
  (forall D E, G D E -> exists r : I -> nat,
     (forall i, In i l -> path (Gi i) (r i) (f i D) (f i E)) /\ at_most (total l (fun i => far (r i) (g i))) B) ->
  forall D E, G D E -> close N B (comp (fun i h D => M i h (f i D)) l [] D) (comp (fun i h D => M i h (f i D)) l [] E).
Proof.
  intros V H S D E n. destruct (S D E n) as (r & R & L). eapply close_up; [exact L|].
  apply adaptive_of_laws with (g := fun i => far (r i) (g i)).
  - intros. apply valid_far. auto.
  - intros i h Ii. apply (group_of_laws _ _ (Gi i)); auto.
Qed.
End Composed.

(* ---- a notion with one number ---- *)
Definition of_notion (N : notion) : guarantees.
Proof.
  refine (Guarantees R 0 Rplus (fun r e => sc N r * e) (fun e => 0 <= e) Rle (@rel N) _ _ _ _ _ _ _ _ _).
  - apply Rle_refl.
  - intros. lra.
  - intros. apply Rmult_le_pos; [apply sc_pos | assumption].
  - intros. rewrite sc_0. ring.
  - intros. rewrite sc_1. ring.
  - apply rel_refl.
  - intros. eapply rel_up; eassumption.
  - intros. now apply rel_bind.
  - intros O a r p q s V L H K. change (S r) with (1 + r)%nat. apply rel_chain with q; auto.
    now rewrite sc_1, Rmult_1_l.
Defined.
(* ---- (eps, delta) ---- *)
Definition approximate : guarantees.
Proof.
  refine (Guarantees (R * R) (0, 0) (fun a b => (fst a + fst b, snd a + snd b)) (fun r a => (INR r * fst a, growth (fst a) r * snd a))
    (fun a => 0 <= snd a) (fun a b => fst a <= fst b /\ snd a <= snd b) (fun O a => ind (fst a) (snd a)) _ _ _ _ _ _ _ _ _).
  - apply Rle_refl.
  - cbn. intros. lra.
  - cbn. intros. apply Rmult_le_pos; [apply growth_pos | assumption].
  - cbn. intros. f_equal; ring.
  - intros (e, d). cbn. f_equal; ring.
  - cbn. intros. apply ind_refl.
  - intros O a b p q (L & M) H. now apply (ind_weaken _ (fst a) _ (snd a)).
  - cbn. intros. now apply ind_bind.
  - cbn -[INR]. intros O (e, d) r p q s V L H K. cbn -[INR] in *. rewrite S_INR.
    replace ((INR r + 1) * e) with (e + INR r * e) by ring.
    replace ((1 + exp e * growth e r) * d) with (d + exp e * (growth e r * d)) by ring. now apply ind_trans with q.
Defined.

(* ---- Renyi divergences: a guarantee is a number for each order a > 1.  That the divergence of order a
   of p from q is at most c is said of means, as zCDP is in Notions.v; for finitely many outcomes
   papers/Renyi.v shows that it is what densities say. ---- *)
Definition renyi {O} (a c : R) (p q : pm O) := forall g, nonneg g ->
  E p g <= exp ((a - 1) / a * c) * pw (E q (fun o => pw (g o) (a / (a - 1)))) ((a - 1) / a).

Lemma pw_pos_value x s : 0 < x -> pw x s = exp (s * ln x).
Proof. intros X. unfold pw. destruct dec; tauto. Qed.
Lemma pw_zero x s : x <= 0 -> pw x s = 0.
Proof. intros X. unfold pw. destruct dec; lra. Qed.
Lemma pw_positive x s : 0 < x -> 0 < pw x s.
Proof. intros X. rewrite pw_pos_value by assumption. apply exp_pos. Qed.
Lemma pw_add x s t : 0 < x -> pw x (s + t) = pw x s * pw x t.
Proof. intros X. rewrite !pw_pos_value, <- exp_plus by assumption. f_equal. ring. Qed.
Lemma pw_base_1 s : pw 1 s = 1.
Proof. rewrite pw_pos_value, ln_1, Rmult_0_r, exp_0 by lra. reflexivity. Qed.
Lemma renyi_triangle O (p q r : pm O) a b c d : 1 < a -> 1 < b ->
  renyi (b * a) c p r -> renyi ((b * a - 1) / (b - 1)) d r q -> renyi a ((a - / b) / (a - 1) * c + d) p q.
Proof.
  intros A B H K g G. set (x := b * a) in *. set (y := (x - 1) / (b - 1)) in *.
  assert (X : 1 < x) by (unfold x; nra). assert (Y : 1 < y).
  { unfold y. apply Rmult_lt_reg_r with (b - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. unfold x. nra. }
  assert (Y1 : y - 1 = b * (a - 1) / (b - 1)) by (unfold y, x; field; lra).
  assert (S : x / (x - 1) * (y / (y - 1)) = a / (a - 1)) by (rewrite Y1; unfold y, x; field; repeat split; nra).
  assert (I : 0 < (x - 1) / x) by (apply Rdiv_lt_0_compat; lra).
  assert (J : 0 < x / (x - 1)) by (apply Rdiv_lt_0_compat; lra).
  assert (Gs := nonneg_pw _ g (x / (x - 1)) ltac:(lra) G). specialize (H g G). specialize (K _ Gs).
  apply (pw_mono _ _ ((x - 1) / x)) in K; [|lra]. rewrite pw_mult, pw_pw, pw_exp in K by apply exp_pos.
  assert (J2 : 0 < y / (y - 1)) by (apply Rdiv_lt_0_compat; lra).
  assert (J3 : 0 < a / (a - 1)) by (apply Rdiv_lt_0_compat; lra).
  rewrite (E_ext _ q (fun o => pw (pw (g o) (x / (x - 1))) (y / (y - 1))) (fun o => pw (g o) (a / (a - 1)))) in K.
  - replace ((y - 1) / y * ((x - 1) / x)) with ((a - 1) / a) in K by (rewrite Y1; unfold y, x; field; repeat split; nra).
    eapply Rle_trans; [exact H|]. eapply Rle_trans; [apply Rmult_le_compat_l; [left; apply exp_pos | exact K]|].
    rewrite <- Rmult_assoc, <- exp_plus. apply Rmult_le_compat_r; [apply pw_pos|]. apply exp_le. right.
    rewrite Y1. unfold y, x. field. repeat split; nra.
  - apply nonneg_pw; [lra | exact Gs].
  - apply nonneg_pw; [lra | exact G].
  - intro o. now rewrite pw_pw, S.
Qed.
Lemma renyi_refl O a (p : pm O) : 1 < a -> renyi a 0 p p.
Proof.
  intros A g G. rewrite Rmult_0_r, exp_0, Rmult_1_l. replace ((a - 1) / a) with (/ (a / (a - 1))) by (field; lra).
  apply power_mean; [|exact G]. apply Rmult_lt_reg_r with (a - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma renyi_up O a c d (p q : pm O) : 1 < a -> c <= d -> renyi a c p q -> renyi a d p q.
Proof.
  intros A L H g G. eapply Rle_trans; [now apply H|]. apply Rmult_le_compat_r; [apply pw_pos|]. apply exp_le.
  apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra | exact L].
Qed.
Lemma renyi_bind O P a c d (p q : pm O) (k l : O -> pm P) : 1 < a -> renyi a c p q -> (forall o, renyi a d (k o) (l o)) ->
  renyi a (c + d) (bind p k) (bind q l).
Proof.
  intros A H K g G. set (s := a / (a - 1)) in *. set (t := (a - 1) / a) in *.
  assert (S : 0 < s) by (apply Rdiv_lt_0_compat; lra). assert (T : 0 < t) by (apply Rdiv_lt_0_compat; lra).
  assert (TS : t * s = 1) by (unfold s, t; field; lra). assert (Gs := nonneg_pw _ g s ltac:(lra) G).
  set (m := fun o => E (l o) (fun x => pw (g x) s)). assert (M : nonneg m) by now apply nonneg_bind.
  set (h := fun o => pw (m o) t). assert (Hh : nonneg h) by (apply nonneg_pw; [lra | exact M]).
  assert (B : E p (fun o => E (k o) g) <= exp (t * d) * E p h).
  { rewrite <- E_mult by apply Hh. apply E_mono; [apply bounded_bind, G | apply bounded_mult, Hh | intro o; now apply K]. }
  specialize (H h Hh). fold s t in H. rewrite (E_ext _ q (fun o => pw (h o) s) m) in H.
  - cbn. rewrite Rmult_plus_distr_l, exp_plus. pose proof (exp_pos (t * d)). unfold m in H. nra.
  - apply nonneg_pw; [lra | exact Hh].
  - apply M.
  - intro o. unfold h. rewrite pw_pw, TS. apply pw_one. now apply nonneg_E.
Qed.
(* two steps have the orders b a and (b a - 1)/(b - 1), for any b > 1; that of a first step with r behind it may be chosen *)
Section Renyi.
Variable split : nat -> R -> R.
Hypothesis above_1 : forall r a, (1 <= r)%nat -> 1 < a -> 1 < split r a.
Fixpoint renyi_far (r : nat) (c : R -> R) (a : R) : R := match r with
  | O => 0 | S O => c a
  | S n => let b := split n a in (a - / b) / (a - 1) * c (b * a) + renyi_far n c ((b * a - 1) / (b - 1)) end.
Lemma renyi_far_more r c a : (1 <= r)%nat ->
  renyi_far (S r) c a = (a - / split r a) / (a - 1) * c (split r a * a) + renyi_far r c ((split r a * a - 1) / (split r a - 1)).
Proof. destruct r; [lia | reflexivity]. Qed.
Definition renyi_curves : guarantees.
Proof.
  refine (Guarantees (R -> R) (fun _ => 0) (fun c d a => c a + d a)
    (fun r c => match r with O => fun _ => 0 | S O => c | _ => renyi_far r c end)
    (fun _ => True) (fun c d => forall a, 1 < a -> c a <= d a) (fun O c p q => forall a, 1 < a -> renyi a (c a) p q) _ _ _ _ _ _ _ _ _); auto.
  - intros. now apply renyi_refl.
  - intros O c d p q L H a A. apply renyi_up with (c a); auto.
  - intros O P c d p q k l _ _ H K a A. apply renyi_bind; auto.
  - intros O c r p q s _ L H K a A. destruct r; [lia|]. rewrite renyi_far_more by lia. pose proof (above_1 (S r) a L A) as B.
    set (b := split (S r) a) in *. assert (X : 1 < b * a) by nra.
    assert (Y : 1 < (b * a - 1) / (b - 1)) by (apply Rmult_lt_reg_r with (b - 1); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra).
    apply renyi_triangle with q; auto. specialize (K _ Y). destruct r; exact K.
Defined.
End Renyi.

(* ---- zCDP is the guarantee rho a at each order a, with the split that makes it least ---- *)
Theorem zcdp_of_renyi O rho (p q : pm O) : rel zcdp rho p q <-> forall a, 1 < a -> renyi a (rho * a) p q.
Proof.
  assert (C : forall a, 1 < a -> (renyi a (rho * a) p q <-> forall g, nonneg g ->
    E p g <= exp (rho / (a / (a - 1) - 1)) * pw (E q (fun o => pw (g o) (a / (a - 1)))) (/ (a / (a - 1))))).
  { intros a A. unfold renyi. replace ((a - 1) / a * (rho * a)) with (rho / (a / (a - 1) - 1)) by (field; split; lra).
    replace ((a - 1) / a) with (/ (a / (a - 1))) by (field; lra). reflexivity. }
  split.
  - intros H a A. apply C; [exact A|]. intros g G. apply H; [|exact G].
    apply Rmult_lt_reg_r with (a - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - intros H s g S G. assert (A : 1 < s / (s - 1)).
    { apply Rmult_lt_reg_r with (s - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    pose proof (proj1 (C _ A) (H _ A) g G) as K.
    replace (s / (s - 1) / (s / (s - 1) - 1)) with s in K by (field; lra). exact K.
Qed.
Definition least_split (r : nat) (a : R) := 1 + INR r * (a - 1) / a.
Lemma least_split_above_1 r a : (1 <= r)%nat -> 1 < a -> 1 < least_split r a.
Proof.
  intros L A. apply (le_INR 1) in L. cbn in L. unfold least_split.
  assert (0 < INR r * (a - 1) / a) by (apply Rdiv_lt_0_compat; nra). lra.
Qed.
Theorem zcdp_far rho r a : 1 < a -> renyi_far least_split r (fun a => rho * a) a = sc zcdp r * rho * a.
Proof.
  revert a. induction r as [|r IH]; intros a A; [cbn; unfold square; cbn; ring|]. destruct r; [cbn; unfold square; cbn; ring|].
  pose proof (least_split_above_1 (S r) a ltac:(lia) A) as B. rewrite renyi_far_more by lia.
  set (b := least_split (S r) a) in *.
  assert (Y : 1 < (b * a - 1) / (b - 1)) by (apply Rmult_lt_reg_r with (b - 1); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra).
  rewrite IH by exact Y. unfold b, least_split. cbn [sc zcdp]. unfold square. rewrite (S_INR (S r)). set (n := INR (S r)).
  assert (0 < n) by (apply lt_0_INR; lia). field. repeat split; nra.
Qed.
Definition renyi_least := renyi_curves least_split least_split_above_1.
Theorem zcdp_far_of_renyi O rho r (p q : pm O) :
  close renyi_least (@far renyi_least r (fun a => rho * a)) p q <-> rel zcdp (sc zcdp r * rho) p q.
Proof.
  rewrite zcdp_of_renyi. assert (Z : forall a, 1 < a -> (@far renyi_least r (fun a => rho * a)) a = sc zcdp r * rho * a).
  { intros a A. rewrite <- zcdp_far by exact A. destruct r as [|[|]]; reflexivity. }
  split; intros H a A; specialize (H a A); cbv beta in *; [rewrite Z in H | rewrite Z]; auto.
Qed.
