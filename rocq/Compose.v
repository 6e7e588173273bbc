(* Mechanisms, metrics, adaptive composition, and the bound from what neighbours do to the parts. *)
From Coq Require Import Reals Lra Lia List Classical.
From Dpcomp Require Import Measure Notions.
Import ListNotations.
Open Scope R_scope.

(* ---- canonical distance: path G r D E says that r steps lead from D to E ---- *)
Inductive path {T} (G : T -> T -> Prop) : nat -> T -> T -> Prop :=
| P0 : forall D, path G 0 D D
| PS : forall r D D' D'', G D D' -> path G r D' D'' -> path G (S r) D D''.
Lemma path0 T (G : T -> T -> Prop) D D' : D = D' -> path G 0 D D'.
Proof. intros ->. constructor. Qed.
Lemma path1 T (G : T -> T -> Prop) D D' : G D D' -> path G 1 D D'.
Proof. intros. econstructor; [eassumption | constructor]. Qed.
Lemma path2 T (G : T -> T -> Prop) D F D' : G D F -> G F D' -> path G 2 D D'.
Proof. intros. econstructor; [eassumption |]. now apply path1. Qed.
Lemma path_app T (G : T -> T -> Prop) r s D F D' : path G r D F -> path G s F D' -> path G (r + s) D D'.
Proof. induction 1; intros; cbn; [assumption | econstructor; eauto]. Qed.
Lemma path_sym T (G : T -> T -> Prop) r D D' : (forall D D', G D D' -> G D' D) -> path G r D D' -> path G r D' D.
Proof.
  intros S. induction 1; [constructor|]. replace (Datatypes.S r) with (r + 1)%nat by lia.
  eapply path_app; [eassumption | apply path1; auto].
Qed.

(* the least number up to n with a property, if there is one *)
Fixpoint least (P : nat -> Prop) (n : nat) : nat :=
  if dec (P 0%nat) then 0%nat else match n with O => 0%nat | S m => S (least (fun r => P (S r)) m) end.
Lemma least_ok (P : nat -> Prop) n r : P r -> (r <= n)%nat -> P (least P n) /\ (least P n <= r)%nat.
Proof.
  revert P r. induction n as [|n IH]; intros P r H L; cbn; destruct (dec (P 0%nat)) as [z|z]; auto with arith.
  - replace r with 0%nat in H by lia. tauto.
  - destruct r; [tauto|]. destruct (IH (fun r => P (S r)) r H); [lia | split; [assumption | lia]].
Qed.

(* group privacy, in any notion *)
Lemma group (N : notion) O T (G : T -> T -> Prop) e (M : T -> pm O) : 0 <= e ->
  (forall D D', G D D' -> rel N e (M D) (M D')) ->
  forall r D D', path G r D D' -> rel N (sc N r * e) (M D) (M D').
Proof.
  intros P H r D D'. induction 1 as [D|r D D' D'' g p IH].
  - rewrite sc_0, Rmult_0_l. apply rel_refl.
  - specialize (H _ _ g). destruct r.
    + inversion p; subst. now rewrite sc_1, Rmult_1_l.
    + change (S (S r)) with (1 + S r)%nat. apply rel_chain with (M D'); auto; try lia.
      now rewrite sc_1, Rmult_1_l.
Qed.
(* ... and in (eps, delta) *)
Lemma group_delta O T (G : T -> T -> Prop) e d (M : T -> pm O) :
  (forall D D', G D D' -> ind e d (M D) (M D')) ->
  forall r D D', path G r D D' -> ind (INR r * e) (growth e r * d) (M D) (M D').
Proof.
  intros H r D D'. induction 1 as [D|r D D' D'' g _ IH].
  - cbn. rewrite !Rmult_0_l. apply ind_refl.
  - rewrite S_INR. replace ((INR r + 1) * e) with (e + INR r * e) by ring. cbn [growth].
    replace ((1 + exp e * growth e r) * d) with (d + exp e * (growth e r * d)) by ring.
    eapply ind_trans; eauto.
Qed.

(* ---- sums ---- *)
Fixpoint sum {I} (l : list I) (f : I -> R) : R := match l with [] => 0 | i :: t => f i + sum t f end.
Lemma sum_pos I l (f : I -> R) : (forall i, In i l -> 0 <= f i) -> 0 <= sum l f.
Proof. induction l; cbn; intros H; [lra|]. assert (0 <= f a) by auto. assert (0 <= sum l f) by auto. lra. Qed.
Lemma sum_le I l (f g : I -> R) : (forall i, In i l -> f i <= g i) -> sum l f <= sum l g.
Proof. induction l; cbn; intros H; [lra|]. assert (f a <= g a) by auto. assert (sum l f <= sum l g) by auto. lra. Qed.
Lemma sum_eq I l (f g : I -> R) : (forall i, In i l -> f i = g i) -> sum l f = sum l g.
Proof. intros H. apply Rle_antisym; apply sum_le; intros; rewrite H; auto; lra. Qed.
Lemma sum_app I (l l' : list I) f : sum (l ++ l') f = sum l f + sum l' f.
Proof. induction l; cbn; lra. Qed.
Lemma sum_map I J (g : J -> I) l f : sum (map g l) f = sum l (fun j => f (g j)).
Proof. induction l; cbn; congruence. Qed.
Lemma sum_plus I (l : list I) f g : sum l (fun i => f i + g i) = sum l f + sum l g.
Proof. induction l; cbn; lra. Qed.
Lemma sum_mult I (l : list I) a f : sum l (fun i => a * f i) = a * sum l f.
Proof. induction l; cbn; lra. Qed.
Lemma sum_zero I (l : list I) f : (forall i, In i l -> f i = 0) -> sum l f = 0.
Proof. induction l; cbn; intros H; [reflexivity|]. rewrite (H a), IHl; auto. ring. Qed.

(* ---- adaptive composition: each part reads the outputs before it, and has outputs of its own ---- *)
Definition outputs {I} (O : I -> Type) := list {i : I & O i}.
Fixpoint comp {I T} {O : I -> Type} (M : forall i, outputs O -> T -> pm (O i)) (l : list I)
    (h : outputs O) (D : T) : pm (outputs O) :=
  match l with
  | [] => dirac h
  | i :: t => bind (M i h D) (fun o => comp M t (existT _ i o :: h) D)
  end.
Theorem adaptive (N : notion) I T (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) l h D D' (e : I -> R) :
  (forall i, In i l -> 0 <= e i) -> (forall i h, In i l -> rel N (e i) (M i h D) (M i h D')) ->
  rel N (sum l e) (comp M l h D) (comp M l h D').
Proof.
  intros P H. revert h. induction l as [|i l IH]; intros h; cbn -[bind].
  - apply rel_refl.
  - apply rel_bind; [apply P; now left | apply sum_pos; intros; apply P; now right | apply H; now left |].
    intros o. apply IH; intros; [apply P | apply H]; now right.
Qed.
Theorem adaptive_delta I T (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) l h D D' (e d : I -> R) :
  (forall i, In i l -> 0 <= d i) -> (forall i h, In i l -> ind (e i) (d i) (M i h D) (M i h D')) ->
  ind (sum l e) (sum l d) (comp M l h D) (comp M l h D').
Proof.
  intros P H. revert h. induction l as [|i l IH]; intros h; cbn -[bind].
  - apply ind_refl.
  - apply ind_bind; [apply sum_pos; intros; apply P; now right | apply H; now left |].
    intros o. apply IH; intros; [apply P | apply H]; now right.
Qed.

(* ---- what neighbours do to the parts bounds the composition.  A part is a mechanism behind a map
   f, private for G_i on what f hands on (separate domains) ... ---- *)
Theorem profile (N : notion) I T (G : T -> T -> Prop) (U : I -> Type) (Gi : forall i, U i -> U i -> Prop)
    (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> U i -> pm (O i)) (g : I -> R) l B :
  (forall i, In i l -> 0 <= g i) ->
  (forall i h F F', In i l -> Gi i F F' -> rel N (g i) (M i h F) (M i h F')) ->
  (forall D D', G D D' -> exists r : I -> nat,
     (forall i, In i l -> path (Gi i) (r i) (f i D) (f i D')) /\ sum l (fun i => sc N (r i) * g i) <= B) ->
  forall D D', G D D' -> rel N B (comp (fun i h D => M i h (f i D)) l [] D) (comp (fun i h D => M i h (f i D)) l [] D').
Proof.
  intros P H S D D' n. destruct (S D D' n) as (r & R & Le).
  eapply rel_up; [exact Le|]. apply adaptive with (e := fun i => sc N (r i) * g i).
  - intros. apply Rmult_le_pos; [apply sc_pos | auto].
  - intros i h Ii. apply (group N _ _ (Gi i)); auto.
Qed.
(* ... or private for G itself and dependent only on f (common domain) *)
Theorem profile_common (N : notion) I T (G : T -> T -> Prop) (U : I -> Type)
    (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> T -> pm (O i)) (g : I -> R) l B :
  (forall i, In i l -> 0 <= g i) ->
  (forall i h D D', In i l -> G D D' -> rel N (g i) (M i h D) (M i h D')) ->
  (forall i h D D', In i l -> f i D = f i D' -> M i h D = M i h D') ->
  (forall D D', G D D' -> exists r : I -> nat,
     (forall i, In i l -> f i D = f i D' \/ (1 <= r i)%nat) /\ sum l (fun i => sc N (r i) * g i) <= B) ->
  forall D D', G D D' -> rel N B (comp M l [] D) (comp M l [] D').
Proof.
  intros P H dep S D D' n. destruct (S D D' n) as (r & R & Le).
  eapply rel_up; [exact Le|]. apply adaptive with (e := fun i => sc N (r i) * g i).
  - intros. apply Rmult_le_pos; [apply sc_pos | auto].
  - intros i h Ii. destruct (R i Ii) as [e|e].
    + rewrite (dep i h D D' Ii e). eapply rel_up; [|apply rel_refl].
      apply Rmult_le_pos; [apply sc_pos | auto].
    + eapply rel_up; [|now apply (H i h D D')]. pose proof (sc_mono N 1 (r i) e) as L.
      rewrite sc_1 in L. pose proof (P i Ii). nra.
Qed.
(* the same for (eps, delta), each parameter with a bound of its own *)
Theorem profile_delta I T (G : T -> T -> Prop) (U : I -> Type) (Gi : forall i, U i -> U i -> Prop)
    (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> U i -> pm (O i)) (g d : I -> R) l B C :
  (forall i, In i l -> 0 <= d i) ->
  (forall i h F F', In i l -> Gi i F F' -> ind (g i) (d i) (M i h F) (M i h F')) ->
  (forall D D', G D D' -> exists r : I -> nat,
     (forall i, In i l -> path (Gi i) (r i) (f i D) (f i D')) /\
     sum l (fun i => INR (r i) * g i) <= B /\ sum l (fun i => growth (g i) (r i) * d i) <= C) ->
  forall D D', G D D' -> ind B C (comp (fun i h D => M i h (f i D)) l [] D) (comp (fun i h D => M i h (f i D)) l [] D').
Proof.
  intros P H S D D' n. destruct (S D D' n) as (r & R & Le & Le').
  eapply ind_weaken; [exact Le | exact Le'|].
  apply adaptive_delta with (e := fun i => INR (r i) * g i) (d := fun i => growth (g i) (r i) * d i).
  - intros. apply Rmult_le_pos; [apply growth_pos | auto].
  - intros i h Ii. apply (group_delta _ _ (Gi i)); auto.
Qed.
(* ... and on the common domain *)
Lemma growth_one e r : (1 <= r)%nat -> 1 <= growth e r.
Proof. destruct r; [lia|]. intros _. cbn [growth]. pose proof (exp_pos e). pose proof (growth_pos e r). nra. Qed.
Theorem profile_common_delta I T (G : T -> T -> Prop) (U : I -> Type)
    (O : I -> Type) (f : forall i, T -> U i) (M : forall i, outputs O -> T -> pm (O i)) (g d : I -> R) l B C :
  (forall i, In i l -> 0 <= g i) -> (forall i, In i l -> 0 <= d i) ->
  (forall i h D D', In i l -> G D D' -> ind (g i) (d i) (M i h D) (M i h D')) ->
  (forall i h D D', In i l -> f i D = f i D' -> M i h D = M i h D') ->
  (forall D D', G D D' -> exists r : I -> nat, (forall i, In i l -> f i D = f i D' \/ (1 <= r i)%nat) /\
     sum l (fun i => INR (r i) * g i) <= B /\ sum l (fun i => growth (g i) (r i) * d i) <= C) ->
  forall D D', G D D' -> ind B C (comp M l [] D) (comp M l [] D').
Proof.
  intros Pg Pd H dep S D D' n. destruct (S D D' n) as (r & R & Le & Le').
  eapply ind_weaken; [exact Le | exact Le'|].
  apply adaptive_delta with (e := fun i => INR (r i) * g i) (d := fun i => growth (g i) (r i) * d i).
  - intros. apply Rmult_le_pos; [apply growth_pos | auto].
  - intros i h Ii. pose proof (Pg i Ii). pose proof (Pd i Ii). pose proof (pos_INR (r i)). pose proof (growth_pos (g i) (r i)).
    destruct (R i Ii) as [e|e].
    + rewrite (dep i h D D' Ii e). apply ind_weaken with 0 0; [| |apply ind_refl]; apply Rmult_le_pos; assumption.
    + apply (ind_weaken _ (g i) _ (d i)); [| |now apply (H i h D D')].
      * apply (le_INR 1) in e. cbn in e. nra.
      * pose proof (growth_one (g i) (r i) e). nra.
Qed.
(* one step at most: nothing grows *)
Lemma growth_once I (l : list I) (g d : I -> R) (r : I -> nat) : (forall i, (r i <= 1)%nat) ->
  sum l (fun i => growth (g i) (r i) * d i) = sum l (fun i => INR (r i) * d i).
Proof.
  intros H. apply sum_eq. intros i _. specialize (H i). destruct (r i) as [|[|]]; [reflexivity | | lia]. cbn. ring.
Qed.
(* each step more grows by more than the one before: r of n steps grow by at most their share *)
Lemma growth_last e n : growth e (S n) = growth e n + exp (INR n * e).
Proof.
  induction n as [|n IH]; [cbn; rewrite Rmult_0_l, exp_0; ring|]. change (growth e (S (S n))) with (1 + exp e * growth e (S n)).
  rewrite IH at 1. change (growth e (S n)) with (1 + exp e * growth e n). rewrite S_INR.
  replace ((INR n + 1) * e) with (e + INR n * e) by ring. rewrite exp_plus. ring.
Qed.
Lemma growth_single e : growth e 1 = 1.
Proof. cbn. ring. Qed.
Lemma growth_within e n : 0 <= e -> growth e n <= INR n * exp (INR n * e).
Proof.
  intros P. induction n as [|n IH]; [cbn; lra|]. rewrite growth_last, S_INR.
  assert (exp (INR n * e) <= exp ((INR n + 1) * e)) by (apply exp_le; nra). pose proof (pos_INR n). nra.
Qed.
Lemma growth_share e r n : 0 <= e -> (r <= n)%nat -> INR n * growth e r <= INR r * growth e n.
Proof.
  intros P L. induction L as [|n L IH]; [lra|]. rewrite growth_last, S_INR. pose proof (growth_within e n P) as M.
  pose proof (pos_INR r). pose proof (pos_INR n). pose proof (growth_mono e e r n (Rle_refl e) L).
  destruct n as [|n]; [replace r with 0%nat by lia; cbn; lra|]. assert (0 < INR (S n)) by (apply lt_0_INR; lia).
  set (N := INR (S n)) in *. set (g := growth e (S n)) in *. set (x := exp (N * e)) in *.
  assert (N * ((N + 1) * growth e r) <= N * (INR r * (g + x))); [|nra].
  assert ((N + 1) * (N * growth e r) <= (N + 1) * (INR r * g)) by (apply Rmult_le_compat_l; lra). nra.
Qed.
