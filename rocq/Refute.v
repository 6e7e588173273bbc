(* Claims that are too small: mechanisms with two outputs that lose all that they may, and databases
   that are listed. *)
From Coq Require Import Reals Lra Lia List FunctionalExtensionality ZArith Classical.
From Dpcomp Require Import Measure Notions Compose Databases Records.
Import ListNotations.
Open Scope R_scope.

(* ---- true with probability p ---- *)
Definition clip (p : R) : R := Rmax 0 (Rmin 1 p).
Lemma clip_between p : 0 <= clip p <= 1.
Proof. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra. Qed.
Lemma clip_same p : 0 <= p <= 1 -> clip p = p.
Proof. unfold clip, Rmax, Rmin. repeat destruct Rle_dec; lra. Qed.
Definition coin (p : R) : pm bool.
Proof.
  refine (PM (fun f => clip p * f true + (1 - clip p) * f false) _ _ _ _); intros; pose proof (clip_between p).
  - pose proof (H1 true). pose proof (H1 false). nra.
  - ring.
  - ring.
  - ring.
Defined.
(* the chance of true, n steps away from where it is likeliest *)
Definition chance (eps : R) (n : nat) : R := (if dec (0 < eps) then 1 - exp (- eps) else 1) * exp (- (eps * INR n)).
Lemma chance_between eps n : 0 <= eps -> 0 < chance eps n <= 1.
Proof.
  intros P. unfold chance. assert (0 <= eps * INR n) by (apply Rmult_le_pos; [assumption | apply pos_INR]).
  assert (exp (- (eps * INR n)) <= 1) by (rewrite <- exp_0; apply exp_le; lra).
  pose proof (exp_pos (- (eps * INR n))) as X. destruct (dec (0 < eps)) as [L|L]; [|lra].
  assert (exp (- eps) < 1) by (rewrite <- exp_0; apply exp_increasing; lra). pose proof (exp_pos (- eps)).
  split; [apply Rmult_lt_0_compat; lra | nra].
Qed.
Lemma coin_near eps m n : 0 <= eps -> (n <= S m)%nat -> ind eps 0 (coin (chance eps m)) (coin (chance eps n)).
Proof.
  intros P L g T. cbn. rewrite !clip_same by (destruct (chance_between eps m P), (chance_between eps n P); lra).
  pose proof (chance_between eps m P) as A. pose proof (chance_between eps n P) as B.
  assert (C : chance eps m <= exp eps * chance eps n).
  { unfold chance. rewrite (Rmult_comm (exp eps)), Rmult_assoc, <- exp_plus.
    apply Rmult_le_compat_l.
    - destruct dec; [|lra]. assert (exp (- eps) <= exp 0) by (apply exp_le; lra). rewrite exp_0 in H. lra.
    - apply exp_le. apply le_INR in L. rewrite S_INR in L. nra. }
  assert (F : 1 - chance eps m <= exp eps * (1 - chance eps n)).
  { destruct (Rle_lt_or_eq_dec 0 eps P) as [pos|<-].
    - assert (chance eps n <= 1 - exp (- eps)).
      { unfold chance. destruct dec as [_|N]; [|contradiction].
        assert (exp (- (eps * INR n)) <= 1) by (rewrite <- exp_0; apply exp_le; pose proof (pos_INR n); nra).
        assert (0 <= 1 - exp (- eps)) by (assert (exp (- eps) <= exp 0) by (apply exp_le; lra); rewrite exp_0 in H0; lra).
        pose proof (exp_pos (- (eps * INR n))). nra. }
      assert (1 <= exp eps * (1 - chance eps n)); [|lra].
      assert (X : exp eps * exp (- eps) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
      rewrite <- X. apply Rmult_le_compat_l; [left; apply exp_pos | lra].
    - assert (one : forall k, chance 0 k = 1).
      { intro k. unfold chance. destruct dec; [lra|]. rewrite Rmult_0_l, Ropp_0, exp_0. lra. }
      rewrite !one, exp_0. lra. }
  destruct (T true), (T false). pose proof (exp_pos eps). nra.
Qed.
Lemma chance_far eps n : chance eps 0 = exp (eps * INR n) * chance eps n.
Proof.
  unfold chance. cbn [INR]. rewrite Rmult_0_r, Ropp_0, exp_0, Rmult_1_r.
  rewrite (Rmult_comm (exp _)), Rmult_assoc, <- exp_plus. replace (- (eps * INR n) + eps * INR n) with 0 by ring.
  rewrite exp_0. ring.
Qed.

(* ---- the event that all of them say true ---- *)
Definition all_true {I} (h : outputs (fun _ : I => bool)) : Prop := Forall (fun x => projT2 x = true) h.
Fixpoint both {I} (l : list I) (p : I -> R) : R := match l with [] => 1 | i :: t => p i * both t p end.
Lemma comp_true I T (p : I -> T -> R) l h D : (forall i, 0 <= p i D <= 1) ->
  prob (comp (O := fun _ : I => bool) (fun i (_ : outputs (fun _ : I => bool)) (D : T) => coin (p i D)) l h D) all_true
  = both l (fun i => p i D) * (if dec (all_true h) then 1 else 0).
Proof.
  intros P. revert h. induction l as [|i l IH]; intros h; [cbn; unfold event; lra|].
  unfold prob in *. cbn [comp both]. cbn [bind E coin]. rewrite !IH, clip_same by auto.
  assert (A : all_true (existT (fun _ : I => bool) i true :: h) <-> all_true h).
  { split; intro H; [now inversion H | now constructor]. }
  assert (B : ~ all_true (existT (fun _ : I => bool) i false :: h)) by (intro H; inversion H; discriminate).
  destruct (dec (all_true (existT _ i false :: h))); [contradiction|].
  destruct (dec (all_true (existT _ i true :: h))), (dec (all_true h)); try tauto; ring.
Qed.
Lemma both_far I (l : list I) g (r : I -> nat) : both l (fun i => chance (g i) 0) = exp (sum l (fun i => INR (r i) * g i)) * both l (fun i => chance (g i) (r i)).
Proof.
  induction l as [|i l IH]; cbn [both sum]; [rewrite exp_0; ring|]. rewrite IH, exp_plus, (chance_far (g i) (r i)).
  rewrite (Rmult_comm (g i)). ring.
Qed.
Lemma both_pos I (l : list I) g (r : I -> nat) : (forall i, 0 <= g i) -> 0 < both l (fun i => chance (g i) (r i)).
Proof. intros P. induction l; cbn [both]; [lra|]. apply Rmult_lt_0_compat; auto. now apply chance_between. Qed.

Lemma least_le (P : nat -> Prop) n : (least P n <= n)%nat.
Proof. revert P. induction n; intros P; cbn; destruct dec; try lia. specialize (IHn (fun r => P (S r))). lia. Qed.
Lemma least_or (P : nat -> Prop) n : P (least P n) \/ least P n = n.
Proof.
  revert P. induction n as [|n IH]; intros P; cbn; destruct (dec (P 0%nat)); auto.
  destruct (IH (fun r => P (S r))) as [H|H]; auto.
Qed.

(* ---- what no bound below the sum can be: mechanisms behind maps, each private for its own
   neighbours, whose databases are at least r steps apart ---- *)
Theorem attained I T (U : I -> Type) (Gi : forall i, U i -> U i -> Prop) (f : forall i, T -> U i) (g : I -> R) l (r : I -> nat) D D' :
  (forall i, 0 <= g i) -> (forall i s, In i l -> (s < r i)%nat -> ~ path (Gi i) s (f i D) (f i D')) ->
  exists M : forall i : I, outputs (fun _ : I => bool) -> U i -> pm bool,
    (forall i h F F', Gi i F F' -> rel pure (g i) (M i h F) (M i h F')) /\
    forall B, B < sum l (fun i => INR (r i) * g i) ->
      exists S, ~ prob (comp (fun i h D => M i h (f i D)) l [] D) S <= exp B * prob (comp (fun i h D => M i h (f i D)) l [] D') S.
Proof.
  intros P A. set (steps := fun i F => least (fun n => path (Gi i) n (f i D) F) (r i)).
  exists (fun i _ F => coin (chance (g i) (steps i F))). split.
  - intros i _ F F' n. apply coin_near; auto. unfold steps.
    set (m := least (fun n => path (Gi i) n (f i D) F) (r i)).
    assert (C : path (Gi i) m (f i D) F \/ m = r i) by apply (least_or (fun n => path (Gi i) n (f i D) F) (r i)).
    destruct C as [C|C].
    + destruct (Nat.le_gt_cases (S m) (r i)) as [L|L].
      * apply (least_ok (fun n => path (Gi i) n (f i D) F') (r i) (S m)); auto.
        replace (S m) with (m + 1)%nat by lia. eapply path_app; [exact C | now apply path1].
      * eapply Nat.le_trans; [apply least_le | lia].
    + rewrite C. eapply Nat.le_trans; [apply least_le | lia].
  - intros B L. exists all_true. rewrite !comp_true by (intro; split; [left|]; now apply chance_between).
    assert (Z : forall i, steps i (f i D) = 0%nat).
    { intro i. assert (steps i (f i D) <= 0)%nat; [|lia].
      apply (least_ok (fun n => path (Gi i) n (f i D) (f i D)) (r i) 0%nat); [constructor | lia]. }
    assert (one : both l (fun i => chance (g i) (steps i (f i D))) = both l (fun i => chance (g i) 0)).
    { clear - Z. induction l; cbn; [reflexivity|]. now rewrite Z, IHl. }
    assert (R : both l (fun i => chance (g i) (steps i (f i D'))) = both l (fun i => chance (g i) (r i))).
    { clear - A. induction l as [|i l IH]; cbn; [reflexivity|]. rewrite IH by (intros; apply A; [now right | assumption]).
      replace (steps i (f i D')) with (r i); [reflexivity|]. unfold steps.
      pose proof (least_or (fun n => path (Gi i) n (f i D) (f i D')) (r i)) as C.
      pose proof (least_le (fun n => path (Gi i) n (f i D) (f i D')) (r i)) as W.
      destruct C as [C|C]; [|congruence]. destruct (Nat.lt_ge_cases (least (fun n => path (Gi i) n (f i D) (f i D')) (r i)) (r i)); [|lia].
      destruct (A i _ (or_introl eq_refl) H C). }
    rewrite one, R, (both_far _ l g r). destruct dec as [_|N]; [|destruct N; constructor].
    pose proof (both_pos _ l g r P). pose proof (exp_increasing _ _ L). nra.
Qed.
(* ... and mechanisms that are private for the neighbours themselves and read what maps hand on *)
Theorem attained_common I T (U : I -> Type) (G : T -> T -> Prop) (f : forall i, T -> U i) (g : I -> R) l (r : I -> nat) D D' :
  (forall i, 0 <= g i) -> (forall i, In i l -> (r i <= 1)%nat /\ (r i = 1%nat -> f i D <> f i D')) ->
  exists M : forall i : I, outputs (fun _ : I => bool) -> T -> pm bool,
    (forall i h F F', G F F' -> rel pure (g i) (M i h F) (M i h F')) /\
    (forall i h F F', f i F = f i F' -> M i h F = M i h F') /\
    forall B, B < sum l (fun i => INR (r i) * g i) ->
      exists S, ~ prob (comp M l [] D) S <= exp B * prob (comp M l [] D') S.
Proof.
  intros P A. set (steps := fun i F => if dec (f i F = f i D) then 0%nat else r i).
  exists (fun i _ F => coin (chance (g i) (Nat.min 1 (steps i F)))). repeat split.
  - intros i _ F F' n. apply coin_near; auto. lia.
  - intros i _ F F' e. unfold steps. now rewrite e.
  - intros B L. exists all_true. rewrite !comp_true by (intro; split; [left|]; now apply chance_between).
    assert (one : both l (fun i => chance (g i) (Nat.min 1 (steps i D))) = both l (fun i => chance (g i) 0)).
    { clear. induction l; cbn [both]; [reflexivity|]. unfold steps at 1. destruct dec; [|congruence]. now rewrite IHl. }
    assert (R : both l (fun i => chance (g i) (Nat.min 1 (steps i D'))) = both l (fun i => chance (g i) (r i))).
    { clear - A. induction l as [|i l IH]; cbn [both]; [reflexivity|]. rewrite IH by (intros; apply A; now right).
      destruct (A i (or_introl eq_refl)) as (C & N). unfold steps. destruct dec as [e|]; [|f_equal; f_equal; lia].
      destruct (r i) as [|[|]]; [reflexivity | destruct N; auto | lia]. }
    rewrite one, R, (both_far _ l g r). destruct dec as [_|N]; [|destruct N; constructor].
    pose proof (both_pos _ l g r P). pose proof (exp_increasing _ _ L). nra.
Qed.

(* ---- databases that are listed: cells, each with how many records ---- *)
Open Scope Z_scope.
Fixpoint listed {X} (s : list (X * Z)) (c : X) : Z := match s with [] => 0 | (x, n) :: t => put c x n + listed t c end.
Fixpoint records {X} (s : list (X * Z)) : Z := match s with [] => 0 | (_, n) :: t => n + records t end.
Fixpoint sharing {X K} (key : X -> K) (v : K) (s : list (X * Z)) : Z :=
  match s with [] => 0 | (x, n) :: t => (if dec (key x = v) then n else 0) + sharing key v t end.
Lemma listed_in X (s : list (X * Z)) c : listed s c <> 0 -> In c (map fst s).
Proof.
  induction s as [|(x, n) s IH]; cbn; [congruence|]. unfold put. destruct (dec (c = x)) as [->|ne]; [now left|].
  intros H. right. apply IH. lia.
Qed.
Lemma listed_finite X (s : list (X * Z)) : finite (listed s).
Proof. exists (map fst s). apply listed_in. Qed.
Lemma listed_pos X (s : list (X * Z)) : Forall (fun x => 0 <= snd x) s -> forall c, 0 <= listed s c.
Proof. intros P c. induction P as [|(x, n) s H P IH]; cbn in *; [lia|]. unfold put. destruct dec; lia. Qed.
Lemma total_away X (l : list X) x n : ~ In x l -> total l (fun c => put c x n) = 0.
Proof.
  intros A. induction l as [|a l IH]; cbn [total]; [reflexivity|]. rewrite IH by (intro; apply A; now right).
  unfold put. destruct (dec (a = x)) as [->|]; [destruct A; now left | lia].
Qed.
Lemma listed_total X K (key : X -> K) v s l : Forall (fun x => 0 <= snd x) s -> NoDup l -> (forall c, In c l -> key c = v) ->
  total l (listed s) <= sharing key v s.
Proof.
  intros P N H. induction P as [|(x, n) s Q P IH]; cbn [sharing].
  - rewrite total_none by reflexivity. lia.
  - rewrite (total_ext _ _ _ (fun c => put c x n + listed s c)) by reflexivity. rewrite total_plus. cbn in Q.
    destruct (classic (In x l)) as [J|J].
    + rewrite total_at by assumption. destruct (dec (key x = v)) as [|ne]; [lia | destruct ne; auto].
    + rewrite total_away by assumption. destruct (dec (key x = v)); lia.
Qed.
Lemma listed_limited X K (key : X -> K) s b : Forall (fun x => 0 <= snd x) s -> 0 <= b ->
  Forall (fun x => sharing key (key (fst x)) s <= b) s -> limited key (listed s) b.
Proof.
  intros P B H l v N J. eapply Z.le_trans; [apply (listed_total _ _ key v); assumption|].
  destruct (classic (exists x, In x s /\ key (fst x) = v)) as [(x & I & <-)|A].
  - rewrite Forall_forall in H. now apply H.
  - assert (Z : forall t, incl t s -> sharing key v t = 0); [|rewrite Z; [assumption | apply incl_refl]].
    induction t as [|(x, n) t IH]; intros I; cbn; [reflexivity|]. rewrite IH by (intros y Y; apply I; now right).
    destruct dec as [e|]; [|reflexivity]. destruct A. exists (x, n). split; [apply I; now left | assumption].
Qed.
Lemma listed_sized X (s : list (X * Z)) : NoDup (map fst s) -> sized (listed s) (records s).
Proof.
  intros N. exists (map fst s). split; [assumption | split; [apply listed_in|]].
  induction s as [|(x, n) s IH]; cbn in *; [reflexivity|]. inversion_clear N. unfold put at 1.
  destruct (dec (x = x)); [|contradiction].
  rewrite total_plus, total_away, IH by assumption.
  assert (listed s x = 0); [|lia]. apply NNPP. intro K. now apply listed_in in K.
Qed.
Lemma listed_size X (s : list (X * Z)) n : Forall (fun x => 0 <= snd x) s -> NoDup (map fst s) -> sized (listed s) n -> n = records s.
Proof. intros P N S. exact (sized_unique X (listed s) n (records s) (listed_pos X s P) S (listed_sized X s N)). Qed.
Lemma path_none T (G : T -> T -> Prop) D D' : path G 0 D D' -> D = D'.
Proof. intro H. now inversion H. Qed.
Lemma path_single T (G : T -> T -> Prop) D D' : path G 1 D D' -> G D D'.
Proof. intro H. inversion_clear H. now apply path_none in H1; subst. Qed.
(* what a statement assumes of numbers and functions holds of the values that they are given; a
   lemma about databases with cells in C is decided at these *)
Ltac taken C := intros; repeat match goal with c : C |- _ => destruct c end.
Ltac nonneg := repeat constructor; cbn; lia.
Ltac different := repeat constructor; cbn; intuition congruence.
Ltac decided C := taken C; cbn in *; repeat destruct dec;
  repeat match goal with H : @eq C _ _ |- _ => injection H; clear H; intros end; subst; cbn in *;
  first [exact I | lia | congruence | tauto | intuition (first [lia | congruence])].
Ltac met C := first
  [ exact I | lia | lra | reflexivity | intros; exact I | intros; repeat destruct dec; lra
  | intros; eapply Nat.le_trans; [apply cnt_all | vm_compute; lia]
  | intros; match goal with |- context [cnt ?l] => let m := eval vm_compute in l in change l with m end;
    cbn [cnt]; unfold one_if; repeat destruct dec; solve [lia | exfalso; intuition (first [lia | congruence])]
  | decided C ].
