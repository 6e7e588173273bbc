(* HBW, section V-B: being in no database against being in at least one, all choices equally likely: Theorem 3
   and Corollary 6, as corrected, with any composition theorem; equations 3 and 4 and Corollary 7. *)
From Coq Require Import Reals Lra Lia List Classical FunctionalExtensionality.
From Dpcomp Require Import Measure Notions Compose Databases Refute.
From Dpcomp.papers Require Import HBW.
Import ListNotations.
Open Scope R_scope.

Lemma sum_const I (l : list I) a : sum l (fun _ => a) = INR (length l) * a.
Proof. induction l; [cbn; ring|]. cbn [sum length]. rewrite S_INR, IHl. ring. Qed.

(* ---- the law that is uniform on a list ---- *)
Lemma length_pos B (l : list B) : l <> [] -> 0 < INR (length l).
Proof. intros N. destruct l; [contradiction|]. apply lt_0_INR. cbn. lia. Qed.
Definition uniform {B} (l : list B) (N : l <> []) : pm B.
Proof.
  pose proof (length_pos B l N) as P.
  refine (PM (fun f => / INR (length l) * sum l f) _ _ _ _).
  - intros f g _ _ L. apply Rmult_le_compat_l; [left; now apply Rinv_0_lt_compat | apply sum_le; auto].
  - intros f g _ _. rewrite sum_plus. ring.
  - intros a f _. rewrite sum_mult. ring.
  - rewrite sum_const. field. lra.
Defined.

(* ---- vectors: those that are 0 outside of the rounds of a list, and those of them that are not 0 ---- *)
Section Vectors.
Context {I : Type}.
Definition none (i : I) := false.
Definition put_in (i : I) (b : I -> bool) (j : I) : bool := if dec (j = i) then true else b j.
Fixpoint vectors (l : list I) : list (I -> bool) :=
  match l with [] => [none] | i :: t => map (put_in i) (vectors t) ++ vectors t end.
Definition first (i : I) (later : list I) := map (put_in i) (vectors later).   (* 0 before i, any bits after it *)
Fixpoint some (l : list I) : list (I -> bool) := match l with [] => [] | i :: t => first i t ++ some t end.
Lemma vectors_length l : INR (length (vectors l)) = 2 ^ length l.
Proof. induction l as [|i l IH]; [reflexivity|]. cbn [vectors length pow]. rewrite app_length, map_length, plus_INR, IH. ring. Qed.
Lemma some_length l : INR (length (some l)) = 2 ^ length l - 1.
Proof.
  induction l as [|i l IH]; [cbn; ring|]. cbn [some length pow]. unfold first.
  rewrite app_length, map_length, plus_INR, IH, vectors_length. ring.
Qed.
Lemma first_some i l : first i l <> [].
Proof.
  intro H. apply (f_equal (@length _)) in H. unfold first in H. rewrite map_length in H. apply (f_equal INR) in H.
  rewrite vectors_length in H. cbn in H. pose proof (pow_lt 2 (length l)). lra.
Qed.
Lemma some_some i l : some (i :: l) <> [].
Proof. cbn. intro H. apply app_eq_nil in H. now apply (first_some i l). Qed.
Lemma all_and_none l (f : (I -> bool) -> R) : sum (vectors l) f = sum (some l) f + f none.
Proof. induction l as [|i l IH]; cbn; [ring|]. rewrite !sum_app, IH. unfold first. ring. Qed.
Lemma power_two (l : list I) : l <> [] -> 1 < 2 ^ length l.
Proof. intros N. destruct l; [contradiction|]. cbn [length pow]. pose proof (pow_R1_Rle 2 (length l)). lra. Qed.

(* sums over rounds, of which each has the weight of the vectors whose first 1 it is *)
Fixpoint weigh (l : list I) (f : I -> R) : R := match l with [] => 0 | i :: t => 2 ^ length t * f i + weigh t f end.
Lemma weigh_one l : weigh l (fun _ => 1) = 2 ^ length l - 1.
Proof. induction l as [|i l IH]; cbn; [ring|]. rewrite IH. ring. Qed.
Lemma weigh_le l f g : (forall i, In i l -> f i <= g i) -> weigh l f <= weigh l g.
Proof.
  induction l as [|i l IH]; cbn; intros H; [lra|]. assert (f i <= g i) by auto. assert (weigh l f <= weigh l g) by auto.
  pose proof (pow_lt 2 (length l)). nra.
Qed.
Lemma weigh_affine l a b f : weigh l (fun i => a * f i + b) = a * weigh l f + b * (2 ^ length l - 1).
Proof. induction l as [|i l IH]; cbn; [ring|]. rewrite IH. ring. Qed.
Lemma weigh_plus l f g : weigh l (fun i => f i + g i) = weigh l f + weigh l g.
Proof. induction l as [|i l IH]; cbn; [ring|]. rewrite IH. ring. Qed.
Lemma weigh_pos i l f : (forall j, In j (i :: l) -> 0 < f j) -> 0 < weigh (i :: l) f.
Proof.
  revert i. induction l as [|j l IH]; intros i P; cbn.
  - specialize (P i (or_introl eq_refl)). lra.
  - specialize (IH j (fun k K => P k (or_intror K))). cbn in IH. assert (0 < f i) by (apply P; now left).
    assert (0 < 2 * 2 ^ length l) by (pose proof (pow_lt 2 (length l)); lra). nra.
Qed.

(* ---- Theorem 3, Corollary 6: t and d of each round, with the later rounds sampled, are any that hold both
   ways, from whatever composition theorem ---- *)
Theorem Thm3 O (V : (I -> bool) -> pm O) l (N : some l <> []) (t d : I -> R) : l <> [] ->
  (forall i, In i l -> 0 < t i /\ 0 <= d i) ->
  (forall before i later, l = before ++ i :: later ->
     ind (ln (t i)) (d i) (bind (uniform (first i later) (first_some i later)) V) (V none) /\
     ind (ln (t i)) (d i) (V none) (bind (uniform (first i later) (first_some i later)) V)) ->
  let total := 2 ^ length l - 1 in
  let eps := ln (weigh l t / total) in
  ind eps (weigh l d / total) (bind (uniform (some l) N) V) (V none) /\
  ind eps (weigh l (fun i => d i / t i) / weigh l (fun i => / t i)) (V none) (bind (uniform (some l) N) V).
Proof.
  intros NL P H total eps. assert (K : 0 < total) by (pose proof (power_two l NL); unfold total; lra).
  set (T := weigh l t). set (S := weigh l (fun i => / t i)).
  assert (El : exists i0 l0, l = i0 :: l0) by (destruct l; [contradiction | eauto]). destruct El as (i0 & l0 & El).
  assert (T0 : 0 < T) by (unfold T; rewrite El; apply weigh_pos; rewrite <- El; intros j J; now apply (P j J)).
  assert (S0 : 0 < S) by (unfold S; rewrite El; apply weigh_pos; rewrite <- El; intros j J; apply Rinv_0_lt_compat; now apply (P j J)).
  assert (X : exp eps = T / total) by (unfold eps; apply exp_ln; now apply Rdiv_lt_0_compat).
  (* the sum over all vectors, by their first 1 *)
  assert (by_first : forall g, test g -> let p := E (V none) g in forall l', (exists before, l = before ++ l') ->
    sum (some l') (fun b => E (V b) g) <= weigh l' (fun i => t i * p + d i) /\
    weigh l' (fun i => / t i * p + - (d i / t i)) <= sum (some l') (fun b => E (V b) g)).
  { intros g G p. induction l' as [|i later IH]; intros (before & L); [cbn; lra|].
    assert (J : In i l) by (rewrite L; apply in_or_app; right; now left). destruct (P i J) as (ti & di).
    destruct (H before i later L) as (A & B). specialize (A g G). specialize (B g G). rewrite exp_ln in A, B by assumption.
    cbn [bind E uniform] in A, B. fold p in A, B. unfold first in A, B. rewrite map_length, vectors_length in A, B.
    destruct IH as (I1 & I2). { exists (before ++ [i]). rewrite <- app_assoc. exact L. }
    cbn [some weigh]. rewrite sum_app. unfold first. set (s := sum (map (put_in i) (vectors later)) (fun b => E (V b) g)) in *.
    assert (W : 0 < 2 ^ length later) by (apply pow_lt; lra). set (w := 2 ^ length later) in *.
    assert (U : w * / w = 1) by (apply Rinv_r; lra). split.
    - apply (Rmult_le_compat_l w) in A; [|lra]. replace (w * (/ w * s)) with s in A by (rewrite <- Rmult_assoc, U; ring). lra.
    - apply (Rmult_le_compat_l (w * / t i)) in B; [|apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat]].
      replace (w * / t i * (t i * (/ w * s) + d i)) with (w * / w * s + w * (d i / t i)) in B by (field; lra). rewrite U in B.
      unfold Rdiv in *. lra. }
  assert (len : INR (length (some l)) = total) by apply some_length.
  assert (tangent : total * total <= T * S).
  { assert (weigh l (fun i => - / (T / total * (T / total)) * t i + 2 / (T / total)) <= S).
    { apply weigh_le. intros i J. destruct (P i J) as (ti & _). set (m := T / total). assert (M : 0 < m) by now apply Rdiv_lt_0_compat.
      apply Rmult_le_reg_r with (t i * (m * m)); [apply Rmult_lt_0_compat; [assumption | now apply Rmult_lt_0_compat]|].
      replace ((- / (m * m) * t i + 2 / m) * (t i * (m * m))) with (2 * m * t i - t i * t i) by (field; lra).
      replace (/ t i * (t i * (m * m))) with (m * m) by (field; lra). pose proof (Rle_0_sqr (m - t i)) as Z. unfold Rsqr in Z. lra. }
    rewrite weigh_affine in H0. fold total T in H0.
    replace (- / (T / total * (T / total)) * T + 2 / (T / total) * total) with (total * total / T) in H0 by (field; lra).
    apply (Rmult_le_compat_l T) in H0; [|lra]. replace (T * (total * total / T)) with (total * total) in H0 by (field; lra). exact H0. }
  split; intros g G; rewrite X; pose proof (E_test _ (V none) g G) as p01;
    destruct (by_first g G l (ex_intro _ [] eq_refl)) as (B1 & B2); cbn [bind E uniform]; rewrite len;
    set (p := E (V none) g) in *; set (s := sum (some l) (fun b => E (V b) g)) in *.
  - apply Rmult_le_reg_l with total; [assumption|]. replace (total * (/ total * s)) with s by (field; lra).
    replace (total * (T / total * p + weigh l d / total)) with (T * p + weigh l d) by (field; lra).
    rewrite weigh_plus in B1. replace (weigh l (fun i => t i * p)) with (T * p) in B1; [exact B1|].
    unfold T. clear. induction l as [|i l IH]; cbn; [ring|]. rewrite <- IH. ring.
  - set (D := weigh l (fun i => d i / t i)).
    assert (B3 : S * p - D <= s).
    { replace (S * p - D) with (weigh l (fun i => / t i * p + - (d i / t i))); [exact B2|].
      unfold S, D. clear. induction l as [|i l IH]; cbn; [ring|]. rewrite IH. ring. }
    assert (s0 : 0 <= s).
    { assert (0 <= / total * s); [|apply Rmult_le_reg_l with (/ total); [now apply Rinv_0_lt_compat | lra]].
      pose proof (E_test _ (bind (uniform (some l) N) V) g G) as Z. cbn [bind E uniform] in Z. rewrite len in Z. fold s in Z. lra. }
    apply Rmult_le_reg_l with S; [assumption|].
    replace (S * (T / total * (/ total * s) + D / S)) with (T * S / (total * total) * s + D) by (field; lra).
    assert (1 <= T * S / (total * total)); [|nra].
    apply Rmult_le_reg_r with (total * total); [nra|]. replace (T * S / (total * total) * (total * total)) with (T * S) by (field; lra). lra.
Qed.

(* ---- equations 3 and 4, Corollary 7: k rounds that are (e, d)-DP ---- *)
Definition many (l : list I) (b : I -> bool) : R := sum l (fun i => if b i then 1 else 0).
Lemma vectors_outside l b : In b (vectors l) -> forall i, ~ In i l -> b i = false.
Proof.
  revert b. induction l as [|j l IH]; intros b B i O; cbn in *.
  - destruct B as [<-|[]]. reflexivity.
  - apply in_app_or in B. destruct B as [B|B]; [|apply IH; auto]. apply in_map_iff in B. destruct B as (c & <- & B).
    unfold put_in. destruct dec as [->|n]; [tauto | apply IH; auto].
Qed.
Lemma many_put i l b : ~ In i l -> many (i :: l) (put_in i b) = 1 + many l b.
Proof.
  intros O. unfold many. cbn [sum]. f_equal.
  - unfold put_in. destruct dec; [reflexivity | tauto].
  - apply sum_eq. intros j J. unfold put_in. destruct dec as [->|n]; [contradiction | reflexivity].
Qed.
Lemma many_skip i l b : ~ In i l -> In b (vectors l) -> many (i :: l) b = many l b.
Proof. intros O B. unfold many. cbn [sum]. rewrite (vectors_outside l b B i O). ring. Qed.
Lemma many_none l : many l none = 0.
Proof. apply sum_zero. reflexivity. Qed.
Lemma many_pos l b : 0 <= many l b.
Proof. apply sum_pos. intros i _. destruct (b i); lra. Qed.
Lemma sum_powers e l : NoDup l -> sum (vectors l) (fun b => exp (e * many l b)) = (1 + exp e) ^ length l.
Proof.
  induction 1 as [|i l O N IH]; cbn [vectors length pow].
  - cbn. unfold many. cbn. rewrite Rmult_0_r, exp_0. ring.
  - rewrite sum_app, sum_map, <- IH.
    rewrite (sum_eq _ _ (fun b => exp (e * many (i :: l) (put_in i b))) (fun b => exp e * exp (e * many l b))).
    + rewrite (sum_eq _ _ (fun b => exp (e * many (i :: l) b)) (fun b => exp (e * many l b))); [rewrite sum_mult; ring|].
      intros b B. now rewrite many_skip.
    + intros b _. rewrite many_put by assumption. rewrite <- exp_plus. f_equal. ring.
Qed.
Lemma sum_many l : NoDup l -> sum (vectors l) (many l) = INR (length l) * (2 ^ length l / 2).
Proof.
  induction 1 as [|i l O N IH]; cbn [vectors].
  - cbn. unfold many. cbn. field.
  - rewrite sum_app, sum_map. rewrite (sum_eq _ _ (fun b => many (i :: l) (put_in i b)) (fun b => 1 + many l b)).
    + rewrite (sum_eq _ _ (many (i :: l)) (many l)) by (intros; now apply many_skip).
      rewrite sum_plus, sum_const, vectors_length, IH. cbn [length]. rewrite S_INR. cbn [pow]. field.
    + intros b _. now apply many_put.
Qed.
Lemma chebyshev B (l : list B) x y : (forall i j, (x i - x j) * (y i - y j) <= 0) ->
  INR (length l) * sum l (fun i => x i * y i) <= sum l x * sum l y.
Proof.
  intros H. induction l as [|a l IH]; [cbn; lra|]. cbn [sum length]. rewrite S_INR.
  assert (K : sum l (fun j => (x a - x j) * (y a - y j)) <= sum l (fun _ => 0)) by (apply sum_le; auto).
  rewrite sum_const in K.
  rewrite (sum_eq _ l _ (fun j => x a * y a + (- x a * y j + (- y a * x j + x j * y j)))) in K by (intros; ring).
  rewrite !sum_plus, !sum_mult, sum_const in K. nra.
Qed.
Theorem Cor7 C (O : I -> Type) (coins : pm C) (A : @adversary C I O) l (N : some l <> []) e d : l <> [] -> NoDup l -> 0 <= e -> 0 <= d ->
  (forall i c h x y, In i l -> x <> y -> ind e d (A i c h x) (A i c h y)) ->
  let total := 2 ^ length l - 1 in
  let eps := ln (((1 + exp e) ^ length l - 1) / total) in
  let delta := INR (length l) * (2 ^ length l / 2) / total * d in
  ind eps delta (bind (uniform (some l) N) (view coins A l)) (view coins A l none) /\
  ind eps delta (view coins A l none) (bind (uniform (some l) N) (view coins A l)).
Proof.
  intros NL nodup P D H total eps delta. assert (K : 0 < total) by (pose proof (power_two l NL); unfold total; lra).
  set (X := sum (some l) (fun b => exp (e * many l b))). set (Y := sum (some l) (fun b => exp (- (e * many l b)))).
  assert (XV : X = (1 + exp e) ^ length l - 1).
  { pose proof (all_and_none l (fun b => exp (e * many l b))) as Z. rewrite sum_powers, many_none, Rmult_0_r, exp_0 in Z by assumption. unfold X. lra. }
  assert (MV : sum (some l) (many l) = INR (length l) * (2 ^ length l / 2)).
  { pose proof (all_and_none l (many l)) as Z. rewrite sum_many, many_none in Z by assumption. lra. }
  set (m := sum (some l) (many l)) in *. assert (m0 : 0 <= m) by (apply sum_pos; intros; apply many_pos).
  assert (len : INR (length (some l)) = total) by apply some_length.
  assert (size : forall F, (forall b, 1 <= F b) -> total <= sum (some l) F).
  { intros F L. rewrite <- len, <- (Rmult_1_r (INR _)), <- sum_const. apply sum_le. auto. }
  assert (X1 : total <= X).
  { apply size. intro b. rewrite <- exp_0. apply exp_le. pose proof (many_pos l b). nra. }
  assert (X0 : 0 < X) by lra. assert (ex : exp eps = X / total) by (unfold eps; rewrite <- XV; apply exp_ln; now apply Rdiv_lt_0_compat).
  assert (inverse : forall b, exp (e * many l b) * exp (- (e * many l b)) = 1) by (intro b; rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (rises : forall i j : I -> bool, (exp (e * many l i) - exp (e * many l j)) * (exp (- (e * many l i)) - exp (- (e * many l j))) <= 0).
  { intros i j. pose proof (inverse i) as Zi. pose proof (inverse j) as Zj. pose proof (exp_pos (e * many l i)). pose proof (exp_pos (e * many l j)).
    pose proof (exp_pos (- (e * many l i))). pose proof (exp_pos (- (e * many l j))).
    destruct (Rle_lt_dec (many l i) (many l j)) as [L|L].
    - pose proof (exp_le (e * many l i) (e * many l j) ltac:(nra)). pose proof (exp_le (- (e * many l j)) (- (e * many l i)) ltac:(nra)). nra.
    - pose proof (exp_le (e * many l j) (e * many l i) ltac:(nra)). pose proof (exp_le (- (e * many l i)) (- (e * many l j)) ltac:(nra)). nra. }
  assert (falls : forall i j : I -> bool, (many l i - many l j) * (exp (- (e * many l i)) - exp (- (e * many l j))) <= 0).
  { intros i j. destruct (Rle_lt_dec (many l i) (many l j)) as [L|L].
    - pose proof (exp_le (- (e * many l j)) (- (e * many l i)) ltac:(nra)). nra.
    - pose proof (exp_le (- (e * many l i)) (- (e * many l j)) ltac:(nra)). nra. }
  pose proof (chebyshev _ (some l) _ _ rises) as C1. pose proof (chebyshev _ (some l) _ _ falls) as C2. rewrite len in C1, C2.
  rewrite (sum_eq _ (some l) _ (fun _ => 1)) in C1 by (intros; apply inverse). rewrite sum_const, len in C1. fold X Y in C1. fold m Y in C2.
  set (Z := sum (some l) (fun b => many l b * exp (- (e * many l b)))) in *.
  assert (Y0 : 0 < Y) by nra.
  assert (close : forall b, ind (e * many l b) (d * many l b) (view coins A l b) (view coins A l none) /\
                            ind (e * many l b) (d * many l b) (view coins A l none) (view coins A l b)).
  { intros b. pose proof (Alg2 coins A l (fun _ => e) (fun _ => d) (fun _ _ => D) H) as R.
    assert (same : forall a, sum l (fun i => if dec (differ b none i) then a else 0) = a * many l b /\ sum l (fun i => if dec (differ none b i) then a else 0) = a * many l b).
    { intros a. unfold many. rewrite <- !sum_mult. split; apply sum_eq; intros i _; unfold differ, none; destruct (b i); destruct dec as [n|n];
        try ring; try (destruct n; discriminate); now destruct n. }
    pose proof (R b none) as R1. pose proof (R none b) as R2. cbv beta in R1, R2. destruct (same e) as (s1 & s2). destruct (same d) as (s3 & s4).
    rewrite s1, s3 in R1. rewrite s2, s4 in R2. auto. }
  split; intros g G; rewrite ex; unfold delta; rewrite <- MV; fold m; cbn [bind E uniform]; rewrite len;
    set (p := E (view coins A l none) g); pose proof (E_test _ (view coins A l none) g G) as p01; fold p in p01;
    set (s := sum (some l) (fun b => E (view coins A l b) g)).
  - assert (le : s <= p * X + d * m).
    { unfold s, X, m. rewrite <- !sum_mult, <- sum_plus. apply sum_le. intros b _. destruct (close b) as (R & _). specialize (R g G). fold p in R. lra. }
    apply Rmult_le_reg_l with total; [assumption|]. replace (total * (/ total * s)) with s by (field; lra).
    replace (total * (X / total * p + m / total * d)) with (p * X + d * m) by (field; lra). exact le.
  - assert (le : p * Y <= s + d * Z).
    { unfold s, Y, Z. rewrite <- !sum_mult, <- sum_plus. apply sum_le. intros b _. destruct (close b) as (_ & R). specialize (R g G). fold p in R.
      pose proof (exp_pos (- (e * many l b))) as u0. apply (Rmult_le_compat_l (exp (- (e * many l b)))) in R; [|lra].
      pose proof (inverse b) as U. set (u := exp (- (e * many l b))) in *. set (v := exp (e * many l b)) in *. set (w := E (view coins A l b) g) in *.
      replace (u * (v * w + d * many l b)) with (v * u * w + d * (many l b * u)) in R by ring. rewrite U in R. lra. }
    assert (s0 : 0 <= s) by (apply sum_pos; intros b _; now apply E_test).
    apply Rmult_le_reg_l with Y; [assumption|].
    assert (a1 : s <= Y * (X / total * (/ total * s))).
    { replace (Y * (X / total * (/ total * s))) with (X * Y / (total * total) * s) by (field; lra).
      assert (1 <= X * Y / (total * total)); [|nra]. apply Rmult_le_reg_r with (total * total); [nra|].
      replace (X * Y / (total * total) * (total * total)) with (X * Y) by (field; lra). lra. }
    assert (a2 : d * Z <= Y * (m / total * d)).
    { replace (Y * (m / total * d)) with (d * (m * Y / total)) by (field; lra). apply Rmult_le_compat_l; [assumption|].
      apply Rmult_le_reg_r with total; [assumption|]. replace (m * Y / total * total) with (m * Y) by (field; lra). lra. }
    lra.
Qed.
(* without deltas randomized response in every round has it *)
Definition answers (e : R) (i : I) (c : unit) (h : outputs (fun _ : I => bool)) (x : bool) : pm bool :=
  coin (if x then exp e / (1 + exp e) else / (1 + exp e)).
Theorem Cor7_attained l (N : some l <> []) e : l <> [] -> NoDup l -> 0 <= e ->
  (forall i c h x y, ind e 0 (answers e i c h x) (answers e i c h y)) /\
  exists S, 0 < prob (view (dirac tt) (answers e) l none) S /\
    prob (bind (uniform (some l) N) (view (dirac tt) (answers e) l)) S =
    ((1 + exp e) ^ length l - 1) / (2 ^ length l - 1) * prob (view (dirac tt) (answers e) l none) S.
Proof.
  intros NL nodup P. assert (X : 1 <= exp e) by (rewrite <- exp_0; now apply exp_le). set (x := exp e) in *.
  set (w := / (1 + x)). assert (W : w * (1 + x) = 1) by (unfold w; field; lra). assert (w0 : 0 < w) by (apply Rinv_0_lt_compat; lra).
  assert (xw : x / (1 + x) = x * w) by reflexivity. assert (sum1 : x * w + w = 1) by lra. split.
  - intros i c h a b g G. unfold answers. fold x. fold w. rewrite xw. cbn.
    assert (c1 : clip (x * w) = x * w) by (apply clip_same; nra). assert (c2 : clip w = w) by (apply clip_same; nra).
    destruct (G true), (G false). fold x. assert (0 <= (x * x - 1) * w * g false) by (repeat apply Rmult_le_pos; nra).
    assert (0 <= (x * x - 1) * w * g true) by (repeat apply Rmult_le_pos; nra).
    destruct a, b; rewrite ?c1, ?c2; replace (1 - x * w) with w by lra; replace (1 - w) with (x * w) by lra; nra.
  - exists (fun o => all_true (snd o)).
    assert (V : forall b, prob (view (dirac tt) (answers e) l b) (fun o => all_true (snd o)) = w ^ length l * exp (e * many l b)).
    { intros b. transitivity (both l (fun i => if b i then x * w else w)).
      - pose proof (comp_true I (I -> bool) (fun i b => if b i then x * w else w) l [] b) as T.
        assert (between : forall i, 0 <= (if b i then x * w else w) <= 1) by (intro i; destruct (b i); nra). specialize (T between).
        destruct dec as [t|n] in T; [|destruct n; constructor]. rewrite Rmult_1_r in T. rewrite <- T. reflexivity.
      - clear nodup N NL. induction l as [|i t IH]; [cbn; unfold many; cbn; rewrite Rmult_0_r, exp_0; ring|].
        cbn [both length pow]. rewrite IH. unfold many. cbn [sum]. destruct (b i).
        + rewrite Rmult_plus_distr_l, Rmult_1_r, exp_plus. fold x. ring.
        + rewrite Rplus_0_l. ring. }
    rewrite V, many_none, Rmult_0_r, exp_0. assert (wk : 0 < w ^ length l) by now apply pow_lt. split; [lra|].
    unfold prob. cbn [bind E uniform]. rewrite (sum_eq _ (some l) _ (fun b => w ^ length l * exp (e * many l b))) by (intros; apply V).
    rewrite sum_mult, some_length. pose proof (all_and_none l (fun b => exp (e * many l b))) as Z.
    rewrite sum_powers, many_none, Rmult_0_r, exp_0 in Z by assumption. fold x in Z. pose proof (power_two l NL).
    replace (sum (some l) (fun b => exp (e * many l b))) with ((1 + x) ^ length l - 1) by lra. field. lra.
Qed.
End Vectors.
