(* Theorems of HBW ("On the Choice of Databases in Differential Privacy Composition"), with the paper's
   numbers: the composition experiment with a bit for each round, against adversaries that choose the
   databases, parameters and mechanism of a round after all that they have seen. *)
From Coq Require Import Reals Lra Lia List ZArith Classical FunctionalExtensionality.
From Dpcomp Require Import Measure Notions Compose Databases Discrete Refute.
Import ListNotations.
Open Scope R_scope.

(* ---- Algorithm 2: an adversary chooses a round, which is the output for each bit, given the coins and
   all outputs so far; its view are the coins and the outputs ---- *)
Section Experiment.
Context {C I : Type} {O : I -> Type}.
Definition adversary := forall i, C -> outputs O -> bool -> pm (O i).
Definition view (coins : pm C) (A : adversary) (l : list I) (b : I -> bool) : pm (C * outputs O) :=
  bind coins (fun c => bind (comp (fun i h b => A i c h (b i)) l [] b) (fun h => dirac (c, h))).

(* rounds in which two vectors agree do not count; the others add up *)
Definition differ (b b' : I -> bool) (i : I) := b i <> b' i.
Theorem Alg2 (coins : pm C) (A : adversary) l e d :
  (forall i, In i l -> 0 <= d i) ->
  (forall i c h x y, In i l -> x <> y -> ind (e i) (d i) (A i c h x) (A i c h y)) ->
  forall b b', ind (sum l (fun i => if dec (differ b b' i) then e i else 0)) (sum l (fun i => if dec (differ b b' i) then d i else 0))
    (view coins A l b) (view coins A l b').
Proof.
  intros P H b b'. set (s := sum l (fun i => if dec (differ b b' i) then e i else 0)). set (t := sum l _).
  assert (T : 0 <= t) by (apply sum_pos; intros i J; specialize (P i J); destruct dec; lra).
  replace s with (0 + s) by ring. replace t with (0 + t) by ring. apply ind_bind; [exact T | apply ind_refl |].
  intros c. apply ind_post. apply adaptive_delta.
  - intros i J. specialize (P i J). destruct dec; lra.
  - intros i h J. destruct dec as [n|n]; [now apply H|]. unfold differ in n. apply NNPP in n. rewrite n. apply ind_refl.
Qed.
(* the sum of the n largest, where they differ in n rounds *)
Theorem shared (coins : pm C) (A : adversary) l e d n :
  (forall i, In i l -> 0 <= e i) -> (forall i, In i l -> 0 <= d i) ->
  (forall i c h x y, In i l -> x <> y -> ind (e i) (d i) (A i c h x) (A i c h y)) ->
  forall b b', (cnt l (differ b b') <= n)%nat -> ind (worst n l e) (worst n l d) (view coins A l b) (view coins A l b').
Proof.
  intros P Q H b b' L. eapply ind_weaken; [apply sum_worst; eauto | apply sum_worst; eauto |]. now apply Alg2.
Qed.
End Experiment.

(* ---- Theorem 1: (eps, delta)-DP in the classic experiment, for every adversary, is (eps, delta)-hypothesis
   privacy for all pairs of distributions of vectors.  What a round may be is any set that is closed
   under exchanging the two databases, and under taking one of them twice: neighbours differ in at
   most one record. ---- *)
Lemma comp_same I T T' (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) (M' : forall i, outputs O -> T' -> pm (O i)) l h D D' :
  (forall i h, M i h D = M' i h D') -> comp M l h D = comp M' l h D'.
Proof.
  intros H. revert h. induction l as [|i l IH]; intros h; cbn; [reflexivity|]. rewrite H. f_equal.
  apply functional_extensionality. intros o. apply IH.
Qed.
Lemma mixtures B V e d (M : B -> pm V) : (forall b b', ind e d (M b) (M b')) -> forall p p' : pm B, ind e d (bind p M) (bind p' M).
Proof.
  intros H p p' g T. cbn. pose proof (exp_pos e).
  assert (K : forall b, E (M b) g <= exp e * E p' (fun b' => E (M b') g) + d).
  { intros b. rewrite <- E_affine by (apply bounded_bind; now apply bounded_test). rewrite <- (E_const _ p' (E (M b) g)).
    apply E_mono; [apply bounded_const | apply bounded_plus; [apply bounded_mult, bounded_bind; now apply bounded_test | apply bounded_const] |].
    intros b'. now apply H. }
  rewrite <- (E_const _ p (exp e * _ + d)). apply E_mono; [apply bounded_bind; now apply bounded_test | apply bounded_const | exact K].
Qed.
Definition any_round {C I} {O : I -> Type} (allowed : forall i, (bool -> pm (O i)) -> Prop) (A : adversary (C := C)) :=
  forall i c h, allowed i (A i c h).
Theorem Thm1 I (O : I -> Type) (allowed : forall i, (bool -> pm (O i)) -> Prop) l e d :
  (forall i m (turn : bool -> bool), allowed i m -> allowed i (fun b => m (turn b))) ->
  ((forall C (coins : pm C) (A : adversary (O := O)), any_round allowed A ->
      ind e d (view coins A l (fun _ => false)) (view coins A l (fun _ => true)) /\
      ind e d (view coins A l (fun _ => true)) (view coins A l (fun _ => false))) <->
   (forall C (coins : pm C) (A : adversary (O := O)), any_round allowed A ->
      forall p p' : pm (I -> bool), ind e d (bind p (view coins A l)) (bind p' (view coins A l)))).
Proof.
  intros closed. split.
  - intros H C coins A ok. apply mixtures. intros b b'.
    set (A' := fun i c h (x : bool) => A i c h (if x then b' i else b i)).
    destruct (H C coins A') as (K & _).
    + intros i c h. apply (closed i (A i c h) (fun x => if x then b' i else b i)), ok.
    + assert (S : forall x, view coins A' l (fun _ => x) = view coins A l (fun i => if x then b' i else b i)).
      { intros x. unfold view. f_equal. apply functional_extensionality. intros c. f_equal.
        apply comp_same. intros i h. reflexivity. }
      rewrite !S in K. exact K.
  - intros H C coins A ok. pose proof (H C coins A ok) as K.
    split; intros g T; [specialize (K (dirac (fun _ => false)) (dirac (fun _ => true)) g T) |
      specialize (K (dirac (fun _ => true)) (dirac (fun _ => false)) g T)]; exact K.
Qed.

(* ---- V-A: where only some vectors are allowed, what holds for each two of them holds for all
   distributions over them; and in how many rounds two choices of at most m databases differ ---- *)
Theorem V_A_1 B V (ok : B -> Prop) e d (M : B -> pm V) :
  (forall b b', ok b -> ok b' -> ind e d (M b) (M b')) ->
  forall p p' : pm {b | ok b}, ind e d (bind p (fun b => M (proj1_sig b))) (bind p' (fun b => M (proj1_sig b))).
Proof. intros H. apply mixtures. intros (b & K) (b' & K'). now apply H. Qed.
Theorem V_A_1_choices I (l : list I) (b b' : I -> bool) m :
  (cnt l (fun i => b i = true) <= m)%nat -> (cnt l (fun i => b' i = true) <= m)%nat ->
  (cnt l (differ b b') <= Nat.min (2 * m) (length l))%nat /\
  ((forall i, b' i = false) -> (cnt l (differ b b') <= Nat.min m (length l))%nat).
Proof.
  intros A B. pose proof (cnt_all I l (differ b b')) as L.
  assert (D : (cnt l (differ b b') <= m + m)%nat).
  { apply (cnt_pts2 I l (differ b b') (fun i => b i = true) (fun i => b' i = true)); auto.
    intros i n. unfold differ in n. destruct (b i), (b' i); tauto. }
  split; [apply Nat.min_glb; lia|]. intros N. apply Nat.min_glb; [|exact L].
  eapply Nat.le_trans; [|exact A]. apply cnt_le. intros i _ n. unfold differ in n. rewrite N in n. now destruct (b i).
Qed.
(* ... with what a composition theorem says of a set of rounds, if it says no less of more rounds: sets
   with as many rounds as two choices can differ in are enough ---- *)
Lemma cnt_same I (l : list I) (P Q : I -> Prop) : (forall i, In i l -> (P i <-> Q i)) -> cnt l P = cnt l Q.
Proof. intros H. apply Nat.le_antisymm; apply cnt_le; intros i J; now apply H. Qed.
Lemma extended I (l : list I) n (s : I -> Prop) : NoDup l -> (cnt l s <= n <= length l)%nat ->
  exists s' : I -> Prop, (forall i, s i -> s' i) /\ cnt l s' = n /\ (forall i, ~ In i l -> s' i -> s i).
Proof.
  intros N. revert n. induction N as [|a l A N IH]; intros n (L & M); cbn [cnt length] in *.
  - exists s. repeat split; auto. lia.
  - unfold one_if in L. destruct (dec (s a)) as [y|o].
    + destruct (IH (n - 1)%nat) as (s' & S & C & K); [lia|]. exists s'. repeat split; auto.
      * unfold one_if. destruct (dec (s' a)) as [|z]; [lia | destruct z; auto].
      * intros i z. apply K. intro. apply z. now right.
    + destruct (Nat.le_gt_cases n (length l)) as [small|big].
      * destruct (IH n) as (s' & S & C & K); [lia|]. exists s'. repeat split; auto.
        -- unfold one_if. destruct (dec (s' a)) as [z|]; [destruct o; now apply K | lia].
        -- intros i z. apply K. intro. apply z. now right.
      * pose proof (cnt_all I l s). destruct (IH (n - 1)%nat) as (s' & S & C & K); [lia|]. exists (fun i => s' i \/ i = a). repeat split; auto.
        -- rewrite (cnt_same I l (fun i => s' i \/ i = a) s').
           ++ unfold one_if. destruct dec as [|z]; [lia | destruct z; now right].
           ++ intros i J. split; [intros [z| ->]; [exact z | contradiction] | now left].
        -- intros i z [y|e]; [apply K; [intro; apply z; now right | exact y] | subst; destruct z; now left].
Qed.
Theorem V_A_1_any_theorem C I (O : I -> Type) (coins : pm C) (A : adversary (C := C) (O := O)) l (e d : (I -> Prop) -> R) m :
  NoDup l -> (forall s s' : I -> Prop, (forall i, s i -> s' i) -> e s <= e s' /\ d s <= d s') ->
  (forall b b', ind (e (differ b b')) (d (differ b b')) (view coins A l b) (view coins A l b')) ->
  let few := fun b : I -> bool => (cnt l (fun i => b i = true) <= m)%nat in
  (forall eps delta, (forall s, cnt l s = Nat.min (2 * m) (length l) -> e s <= eps /\ d s <= delta) ->
   forall p p' : pm {b | few b}, ind eps delta
     (bind p (fun b => view coins A l (proj1_sig b))) (bind p' (fun b => view coins A l (proj1_sig b)))) /\
  (forall eps delta, (forall s, cnt l s = Nat.min m (length l) -> e s <= eps /\ d s <= delta) ->
   forall p : pm {b | few b},
   ind eps delta (bind p (fun b => view coins A l (proj1_sig b))) (view coins A l (fun _ => false)) /\
   ind eps delta (view coins A l (fun _ => false)) (bind p (fun b => view coins A l (proj1_sig b)))).
Proof.
  intros N up H few. assert (none : (cnt l (fun _ : I => false = true) <= m)%nat).
  { eapply Nat.le_trans; [apply cnt_le0; discriminate | lia]. }
  assert (at_most : forall n eps delta, (n <= length l)%nat -> (forall s, cnt l s = n -> e s <= eps /\ d s <= delta) ->
    forall b b', (cnt l (differ b b') <= n)%nat -> ind eps delta (view coins A l b) (view coins A l b')).
  { intros n eps delta L B b b' K. destruct (extended I l n (differ b b') N (conj K L)) as (s & S & Cn & _).
    destruct (up _ _ S), (B s Cn). eapply ind_weaken; [| |apply H]; lra. }
  split; intros eps delta B.
  - apply V_A_1. intros b b' K K'. apply (at_most _ eps delta (Nat.le_min_r _ _) B).
    now apply (V_A_1_choices I l b b' m K K').
  - intros p. assert (near : forall b, few b -> (cnt l (differ b (fun _ => false)) <= Nat.min m (length l))%nat).
    { intros b K. now apply (V_A_1_choices I l b (fun _ => false) m K none). }
    assert (near' : forall b, few b -> (cnt l (differ (fun _ => false) b) <= Nat.min m (length l))%nat).
    { intros b K. eapply Nat.le_trans; [|apply (near b K)]. apply cnt_le. unfold differ. intros i _ n z. now apply n. }
    assert (M := at_most _ eps delta (Nat.le_min_r m (length l)) B). pose proof (exp_pos eps).
    split; intros g T; cbn -[view].
    + rewrite <- (E_const _ p (exp _ * _ + _)). apply E_mono; [apply bounded_bind; now apply bounded_test | apply bounded_const |].
      intros (b & K). now apply (M b (fun _ => false) (near b K)).
    + rewrite <- E_affine by (apply bounded_bind; now apply bounded_test). rewrite <- (E_const _ p (E (view coins A l (fun _ => false)) g)) at 1.
      apply E_mono; [apply bounded_const | apply bounded_plus; [apply bounded_mult, bounded_bind; now apply bounded_test | apply bounded_const] |].
      intros (b & K). now apply (M (fun _ => false) b (near' b K)).
Qed.

(* ---- a record that is there with probability t, against its not being there ---- *)
Definition mix {O} (t : R) (p q : pm O) : pm O := bind (coin t) (fun b => if b then p else q).
Lemma mix_mean O t (p q : pm O) g : 0 <= t <= 1 -> E (mix t p q) g = t * E p g + (1 - t) * E q g.
Proof. intros T. cbn. rewrite clip_same by assumption. reflexivity. Qed.
Theorem S_half O t e d (p q : pm O) : 0 <= t <= 1 -> 0 <= e -> 0 <= d -> ind e d p q -> ind e d q p ->
  let e' := ln (1 + t * (exp e - 1)) in ind e' (t * d) (mix t p q) q /\ ind e' (t * d) q (mix t p q).
Proof.
  intros T P D H K e'. assert (X : 1 <= exp e) by (rewrite <- exp_0; now apply exp_le).
  set (x := exp e) in *. assert (F : 0 < 1 + t * (x - 1)) by nra. assert (R : exp e' = 1 + t * (x - 1)) by (unfold e'; now apply exp_ln).
  split; intros g G; rewrite R, mix_mean by assumption; specialize (H g G); specialize (K g G); fold x in H, K;
    pose proof (E_test _ p g G); pose proof (E_test _ q g G); set (a := E p g) in *; set (b := E q g) in *.
  - nra.
  - (* b (x (1-t) + t) <= x (t a + (1-t) b) + t d, and x <= (1 + t (x-1)) (x (1-t) + t) *)
    set (w := x * (1 - t) + t). assert (W : 1 <= w) by (unfold w; nra). assert (Z : x <= (1 + t * (x - 1)) * w).
    { assert (0 <= t * (1 - t) * ((x - 1) * (x - 1))) by (repeat apply Rmult_le_pos; lra). unfold w. lra. }
    assert (A : b * w <= x * (t * a + (1 - t) * b) + t * d) by (unfold w; nra).
    set (y := t * a + (1 - t) * b) in *. assert (Y : 0 <= y) by (unfold y; nra).
    apply Rmult_le_reg_r with w; [lra|]. apply Rle_trans with (1 := A).
    assert (x * y <= (1 + t * (x - 1)) * y * w) by nra. assert (t * d <= t * d * w) by (assert (0 <= t * d) by nra; nra). nra.
Qed.
(* ... and no better: of two outcomes one has exactly this *)
Theorem S_half_attained t e d : 0 <= t <= 1 -> 0 <= e -> 0 <= d <= 1 ->
  exists (p q : pm bool) (S : bool -> Prop), ind e d p q /\ ind e d q p /\ (d < 1 -> 0 < prob q S) /\
    prob (mix t p q) S = (1 + t * (exp e - 1)) * prob q S + t * d.
Proof.
  intros T P D. assert (X : 1 <= exp e) by (rewrite <- exp_0; now apply exp_le). set (x := exp e) in *.
  set (a := (1 - d) / (1 + x)). assert (A : a * (1 + x) = 1 - d) by (unfold a; field; lra).
  assert (A0 : 0 <= a) by (unfold a; apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (A1 : a <= 1) by nra. exists (coin (1 - a)), (coin a), (fun b => b = true).
  assert (V : forall r, 0 <= r <= 1 -> forall g, E (coin r) g = r * g true + (1 - r) * g false).
  { intros r R g. cbn. now rewrite clip_same. }
  repeat split.
  - intros g G. rewrite !V by lra. fold x. destruct (G true), (G false). nra.
  - intros g G. rewrite !V by lra. fold x. destruct (G true), (G false). nra.
  - intros L. unfold prob. rewrite V by lra. unfold event. destruct dec as [|n]; [|tauto]. destruct dec as [n|]; [discriminate|].
    assert (0 < a) by (unfold a; apply Rdiv_lt_0_compat; lra). lra.
  - unfold prob. rewrite mix_mean by assumption. rewrite !V by lra. unfold event. destruct dec as [|n]; [|tauto].
    destruct dec as [n|]; [discriminate|]. nra.
Qed.

(* ---- Definition 3 with delta = 0: of countably many views, each with a probability under both
   hypotheses, none changes the odds by more than e^eps ---- *)
Lemma sum_one (f : nat -> R) n m : (forall k, k <> n -> f k = 0) -> sum_f_R0 f m = if (n <=? m)%nat then f n else 0.
Proof.
  intros N. induction m as [|m IH]; cbn [sum_f_R0].
  - destruct (Nat.leb_spec n 0); [replace n with 0%nat by lia; reflexivity | apply N; lia].
  - rewrite IH. destruct (Nat.leb_spec n m), (Nat.leb_spec n (S m)); try lia.
    + rewrite (N (S m)) by lia. ring.
    + replace n with (S m) by lia. ring.
    + rewrite (N (S m)) by lia. ring.
Qed.
Lemma infinite_sum_one (f : nat -> R) n : (forall k, k <> n -> f k = 0) -> infinite_sum f (f n).
Proof.
  intros N e P. exists n. intros m L. rewrite (sum_one f n m N). destruct (Nat.leb_spec n m); [|lia].
  unfold R_dist. rewrite Rminus_diag_eq by reflexivity. now rewrite Rabs_R0.
Qed.
Theorem Def3_views V (w w' : nat -> R) (out : nat -> V) P P' one one' e :
  (forall n m, out n = out m -> n = m) ->
  let H0 := countable V w out P one in let H1 := countable V w' out P' one' in
  ((ind e 0 H0 H1 /\ ind e 0 H1 H0) <-> forall n, w n <= exp e * w' n /\ w' n <= exp e * w n).
Proof.
  intros inj H0 H1.
  assert (single : forall (v : nat -> R) Pv onev n, prob (countable V v out Pv onev) (fun o => o = out n) = v n).
  { intros v Pv onev n. apply (uniqueness_sum (fun k => v k * (if dec (out k = out n) then 1 else 0))).
    - exact (countable_prob V v out Pv onev (fun o => o = out n)).
    - assert (K := infinite_sum_one (fun k => v k * (if dec (out k = out n) then 1 else 0)) n).
      cbv beta in K. destruct (dec (out n = out n)) as [_|N]; [|tauto]. rewrite Rmult_1_r in K. apply K.
      intros k ne. destruct dec as [i|]; [destruct ne; now apply inj | ring]. }
  assert (all : forall (u v : nat -> R) Pu oneu Pv onev, (forall n, u n <= exp e * v n) ->
    ind e 0 (countable V u out Pu oneu) (countable V v out Pv onev)).
  { intros u v Pu oneu Pv onev H g T. rewrite Rplus_0_r.
    pose proof (mean_limit V u out Pu oneu g (bounded_test _ g T)) as A.
    pose proof (mean_limit V v out Pv onev (fun o => exp e * g o) (bounded_mult _ _ _ (bounded_test _ g T))) as B.
    assert (C := E_mult (countable V v out Pv onev) (exp e) g (bounded_test _ g T)). rewrite <- C. cbn.
    eapply Rle_cv_lim; [|exact A | exact B]. intro n. apply sum_Rle. intros k _. specialize (H k). destruct (T (out k)). nra. }
  split.
  - intros (A & B) n. apply (proj1 (pure_events _ e _ _)) with (S := fun o => o = out n) in A.
    apply (proj1 (pure_events _ e _ _)) with (S := fun o => o = out n) in B. unfold H0, H1 in A, B. now rewrite !single in A, B.
  - intros H. split; apply all; intro n; apply H.
Qed.
(* ... and the odds after a view are the odds before it, times the ratio of these probabilities *)
Definition odds (a b : R) := a / b.
Theorem Def3_odds a w w' : 0 < a < 1 -> 0 < w -> 0 < w' ->
  odds (a * w / (a * w + (1 - a) * w')) ((1 - a) * w' / (a * w + (1 - a) * w')) = odds a (1 - a) * (w / w').
Proof. intros A W W'. unfold odds. field. repeat split; nra. Qed.
