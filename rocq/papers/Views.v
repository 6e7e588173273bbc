(* HBW, section V-B: what two hypotheses lose with pure rounds, exactly.  Hypotheses are weights on the
   vectors, and the worst that rounds can do is randomized response. *)
From Coq Require Import Reals Lra Lia List Classical FunctionalExtensionality.
From Dpcomp Require Import Measure Notions Compose Databases Conversions Refute.
From Dpcomp.papers Require Import HBW Sampling.
Import ListNotations.
Open Scope R_scope.

(* two eps-close laws are two mixtures, of tests also for eps = 0 *)
Lemma mixtures_of_tests O e (p q : pm O) : 0 <= e -> ind e 0 p q -> ind e 0 q p -> exists A B : pm O, forall f, test f ->
  E p f = exp e * weight e * E A f + weight e * E B f /\ E q f = weight e * E A f + exp e * weight e * E B f.
Proof.
  intros [P|<-] H K.
  - destruct (Conversions.mixtures O e p q P H K) as (A & B & M). exists A, B. intros f F. apply M. now apply bounded_test.
  - exists p, p. intros f F. assert (S : E q f = E p f).
    { specialize (H f F). specialize (K f F). rewrite exp_0 in H, K. lra. }
    rewrite S. pose proof (weight_one 0) as W. rewrite exp_0 in *. split; nra.
Qed.
Lemma sum_bounded B O (l : list B) (c : B -> R) (f : B -> O -> R) : (forall b, bounded (f b)) -> bounded (fun o => sum l (fun b => c b * f b o)).
Proof. intros H. induction l as [|b l IH]; cbn [sum]; auto with bounded. Qed.
Lemma E_sum B O (p : pm O) (l : list B) (c : B -> R) (f : B -> O -> R) : (forall b, bounded (f b)) ->
  E p (fun o => sum l (fun b => c b * f b o)) = sum l (fun b => c b * E p (f b)).
Proof.
  intros H. induction l as [|b l IH]; cbn [sum]; [apply E_const|]. rewrite E_plus, E_mult, IH; auto with bounded. now apply sum_bounded.
Qed.

Section Exact.
Context {I : Type} (e : I -> R).
Definition response (i : I) (bit answer : bool) : R := if Bool.eqb bit answer then exp (e i) * weight (e i) else weight (e i).
Definition chance (l : list I) (b y : I -> bool) : R := both l (fun i => response i (b i) (y i)).
Definition turn (i : I) (x : bool) (b : I -> bool) (j : I) : bool := if dec (j = i) then x else b j.
Lemma turn_same i x b : turn i x b i = x.
Proof. unfold turn. destruct dec; tauto. Qed.
Lemma turn_other i x b j : j <> i -> turn i x b j = b j.
Proof. unfold turn. destruct dec; tauto. Qed.
Lemma chance_ext l b b' y y' : (forall i, In i l -> b i = b' i) -> (forall i, In i l -> y i = y' i) -> chance l b y = chance l b' y'.
Proof.
  unfold chance. induction l as [|i l IH]; intros H K; cbn; [reflexivity|]. rewrite H, K by now left. f_equal. apply IH; intros; [apply H | apply K]; now right.
Qed.
Context {O : I -> Type} (M : forall i, outputs O -> bool -> pm (O i)).
Definition run (l : list I) (h : outputs O) (b : I -> bool) := comp (fun i h b => M i h (b i)) l h b.
Lemma run_ext l h b b' : (forall i, In i l -> b i = b' i) -> run l h b = run l h b'.
Proof.
  unfold run. revert h. induction l as [|i l IH]; intros h H; cbn; [reflexivity|]. rewrite (H i (or_introl eq_refl)). f_equal.
  apply functional_extensionality. intro o. apply IH. intros j J. apply H. now right.
Qed.
(* whatever combination of views no answers of randomized response make positive, no test of any views does *)
Lemma worst_response l : NoDup l -> (forall i, In i l -> 0 <= e i) ->
  (forall i h x y, In i l -> ind (e i) 0 (M i h x) (M i h y)) -> forall phi : (I -> bool) -> R,
  (forall y, sum (vectors l) (fun b => phi b * chance l b y) <= 0) ->
  forall h g, test g -> sum (vectors l) (fun b => phi b * E (run l h b) g) <= 0.
Proof.
  induction 1 as [|i l out N IH]; intros P H phi K h g G.
  - specialize (K none). cbn in *. unfold chance in K. cbn in K. destruct (G h). nra.
  - specialize (IH (fun j J => P j (or_intror J)) (fun j h x y J => H j h x y (or_intror J))).
    set (x := exp (e i)). set (w := weight (e i)).
    destruct (mixtures_of_tests (O i) (e i) (M i h true) (M i h false) (P i (or_introl eq_refl))
      (H i h true false (or_introl eq_refl)) (H i h false true (or_introl eq_refl))) as (A & B & mix). fold x w in mix.
    assert (near : forall b, In b (vectors l) -> forall j, In j l -> put_in i b j = b j).
    { intros b _ j J. unfold put_in. destruct dec as [->|]; [contradiction | reflexivity]. }
    set (f := fun b (o : O i) => E (run l (existT _ i o :: h) b) g). assert (F : forall b, test (f b)) by (intros b o; unfold f; now apply E_test).
    assert (whole : sum (vectors (i :: l)) (fun b => phi b * E (run (i :: l) h b) g) =
      E A (fun o => sum (vectors l) (fun b => (x * w * phi (put_in i b) + w * phi b) * f b o)) +
      E B (fun o => sum (vectors l) (fun b => (w * phi (put_in i b) + x * w * phi b) * f b o))).
    { rewrite !E_sum by (intro; apply bounded_test, F). cbn [vectors]. rewrite sum_app, sum_map, <- !sum_plus. apply sum_eq. intros b V.
      assert (up : E (run (i :: l) h (put_in i b)) g = E (M i h true) (f b)).
      { transitivity (E (M i h (put_in i b i)) (fun o => E (run l (existT O i o :: h) (put_in i b)) g)); [reflexivity|].
        assert (bit : put_in i b i = true) by (unfold put_in; destruct dec; tauto). rewrite bit. f_equal.
        apply functional_extensionality. intro o. unfold f. f_equal. apply run_ext. intros j J. now apply near. }
      assert (down : E (run (i :: l) h b) g = E (M i h false) (f b)).
      { transitivity (E (M i h (b i)) (f b)); [reflexivity|]. now rewrite (vectors_outside l b V i out). }
      rewrite up, down. destruct (mix (f b) (F b)) as (-> & ->). ring. }
    assert (chances : forall (bit : bool) y, sum (vectors (i :: l)) (fun b => phi b * chance (i :: l) b (turn i bit y)) =
      sum (vectors l) (fun b => (response i true bit * phi (put_in i b) + response i false bit * phi b) * chance l b y)).
    { intros bit y. cbn [vectors]. rewrite sum_app, sum_map, <- sum_plus. apply sum_eq. intros b V. unfold chance. cbn [both].
      rewrite turn_same, (vectors_outside l b V i out). unfold put_in at 2. destruct dec as [_|n]; [|tauto].
      fold (chance l (put_in i b) (turn i bit y)). fold (chance l b (turn i bit y)). fold (chance l b y).
      assert (same : forall j, In j l -> turn i bit y j = y j) by (intros j J; apply turn_other; intros ->; contradiction).
      rewrite (chance_ext l (put_in i b) b (turn i bit y) y), (chance_ext l b b (turn i bit y) y) by (auto; intros; now apply near). ring. }
    rewrite whole. cut (forall (C : pm (O i)) (c : (I -> bool) -> R), (forall y, sum (vectors l) (fun b => c b * chance l b y) <= 0) ->
      E C (fun o => sum (vectors l) (fun b => c b * f b o)) <= 0).
    { intros cut.
      pose proof (cut A (fun b => x * w * phi (put_in i b) + w * phi b)) as c1. pose proof (cut B (fun b => w * phi (put_in i b) + x * w * phi b)) as c2.
      assert (k1 : forall y, sum (vectors l) (fun b => (x * w * phi (put_in i b) + w * phi b) * chance l b y) <= 0).
      { intro y. specialize (K (turn i true y)). rewrite chances in K. exact K. }
      assert (k2 : forall y, sum (vectors l) (fun b => (w * phi (put_in i b) + x * w * phi b) * chance l b y) <= 0).
      { intro y. specialize (K (turn i false y)). rewrite chances in K. exact K. }
      specialize (c1 k1). specialize (c2 k2). lra. }
    intros C c Hc. rewrite <- (E_const _ C 0). apply E_mono; [apply sum_bounded; intro; apply bounded_test, F | apply bounded_const |].
    intros o. now apply (IH c Hc (existT _ i o :: h) g G).
Qed.
End Exact.

(* two hypotheses, as weights of vectors: the factor between their views is the largest one of the answers of
   randomized response, for every adversary *)
Theorem V_B_exact C I (O : I -> Type) (coins : pm C) (A : @adversary C I O) (e : I -> R) l (p0 p1 : (I -> bool) -> R) t :
  NoDup l -> (forall i, In i l -> 0 <= e i) -> (forall i c h x y, In i l -> ind (e i) 0 (A i c h x) (A i c h y)) ->
  (forall y, sum (vectors l) (fun b => p0 b * chance e l b y) <= t * sum (vectors l) (fun b => p1 b * chance e l b y)) ->
  forall g, test g -> sum (vectors l) (fun b => p0 b * E (view coins A l b) g) <= t * sum (vectors l) (fun b => p1 b * E (view coins A l b) g).
Proof.
  intros N P H K g G. set (phi := fun b => p0 b + - t * p1 b).
  assert (split : forall F : (I -> bool) -> R, sum (vectors l) (fun b => phi b * F b) = sum (vectors l) (fun b => p0 b * F b) - t * sum (vectors l) (fun b => p1 b * F b)).
  { intros F. rewrite <- sum_mult. unfold Rminus. rewrite <- (Rmult_1_l (sum (vectors l) (fun b => t * (p1 b * F b)))), Ropp_mult_distr_l, <- sum_mult, <- sum_plus.
    apply sum_eq. intros b _. unfold phi. ring. }
  cut (sum (vectors l) (fun b => phi b * E (view coins A l b) g) <= 0); [rewrite split; lra|].
  set (f := fun b c => E (comp (fun i h (b : I -> bool) => A i c h (b i)) l [] b) (fun h => g (c, h))).
  assert (F : forall b, bounded (f b)) by (intro b; apply bounded_between with 0 1; intro c; apply E_test; intro h; apply G).
  rewrite (sum_eq _ _ _ (fun b => phi b * E coins (f b))) by (intros; reflexivity). rewrite <- E_sum by exact F.
  rewrite <- (E_const _ coins 0). apply E_mono; [now apply sum_bounded | apply bounded_const |]. intros c.
  apply (worst_response e (fun i h x => A i c h x) l N P (fun i h x y J => H i c h x y J) phi); [|intro h; apply G].
  intros y. specialize (K y). rewrite split. lra.
Qed.
(* ... and randomized response has it: the event that its answers are y *)
Definition says {I} (y : I -> bool) (h : outputs (fun _ : I => bool)) : Prop := Forall (fun x => projT2 x = y (projT1 x)) h.
Definition truthful {C I} (e : I -> R) : @adversary C I (fun _ => bool) := fun i _ _ x => coin (response e i x true).
Lemma response_between {I} (e : I -> R) i x y : 0 <= response e i x y <= 1.
Proof.
  unfold response. pose proof (weight_pos (e i)). pose proof (weight_one (e i)). pose proof (exp_pos (e i)).
  assert (0 < exp (e i) * weight (e i)) by nra. destruct Bool.eqb; lra.
Qed.
Lemma response_false {I} (e : I -> R) i x : 1 - response e i x true = response e i x false.
Proof. unfold response. pose proof (weight_one (e i)). destruct x; cbn; lra. Qed.
Lemma comp_says {C I} (e : I -> R) (c : C) (y : I -> bool) l h b :
  prob (comp (fun i h (b : I -> bool) => truthful (C := C) e i c h (b i)) l h b) (says y) = chance e l b y * (if dec (says y h) then 1 else 0).
Proof.
  revert h. induction l as [|i l IH]; intros h; [cbn; unfold event, chance; cbn; lra|].
  unfold prob in *. unfold chance in *. cbn [comp both]. unfold truthful at 1. cbn [bind E coin]. rewrite !IH, clip_same by apply response_between.
  rewrite response_false.
  assert (A : forall r, says y (existT (fun _ : I => bool) i r :: h) <-> r = y i /\ says y h).
  { intros r. split; [intro H; inversion H; subst; auto | intros (E1 & H); constructor; auto]. }
  pose proof (A true) as A1. pose proof (A false) as A2.
  destruct (dec (says y (existT _ i true :: h))) as [s1|s1], (dec (says y (existT _ i false :: h))) as [s2|s2], (dec (says y h)) as [s|s]; try tauto.
  - apply A1 in s1. apply A2 in s2. destruct s1 as (z1 & _), s2 as (z2 & _). rewrite <- z1 in z2. discriminate.
  - apply A1 in s1. destruct s1 as (<- & _). ring.
  - apply A2 in s2. destruct s2 as (<- & _). ring.
  - destruct (y i); tauto.
  - ring.
Qed.
Theorem V_B_attained C I (coins : pm C) (e : I -> R) l (p0 p1 : (I -> bool) -> R) t y :
  (forall g, test g -> sum (vectors l) (fun b => p0 b * E (view coins (truthful e) l b) g) <= t * sum (vectors l) (fun b => p1 b * E (view coins (truthful e) l b) g)) ->
  sum (vectors l) (fun b => p0 b * chance e l b y) <= t * sum (vectors l) (fun b => p1 b * chance e l b y).
Proof.
  intros H. specialize (H (event (fun o => says y (snd o))) (event_test _ _)).
  assert (V : forall b, E (view coins (truthful e) l b) (event (fun o => says y (snd o))) = chance e l b y).
  { intros b. transitivity (E coins (fun c => prob (comp (fun i h (b : I -> bool) => truthful (C := C) e i c h (b i)) l [] b) (says y))); [reflexivity|].
    rewrite <- (E_const _ coins (chance e l b y)). apply E_ext; [| apply bounded_const |].
    - apply bounded_between with 0 1. intro c. apply E_test, event_test.
    - intros c. rewrite comp_says. destruct dec as [s|n]; [ring | destruct n; constructor]. }
  rewrite !(sum_eq _ (vectors l) (fun b => _ * E (view coins (truthful e) l b) _) (fun b => _ * chance e l b y)) in H by (intros; now rewrite V).
  exact H.
Qed.

(* ---- section III-A, Example 2, for every set of choices that is closed under further databases, against all
   others: the answers that tell most are all ones, and all zeros ---- *)
Section Closed.
Context {I : Type} (e : I -> R).
Definition rises (u : (I -> bool) -> R) := forall b b' : I -> bool, (forall i, b i = true -> b' i = true) -> u b <= u b'.
Definition ones (i : I) := true.
Lemma put_rises (i : I) (b : I -> bool) : forall j, b j = true -> put_in i b j = true.
Proof. intros j J. unfold put_in. now destruct dec. Qed.
Lemma chance_pos l b y : 0 < chance e l b y.
Proof.
  unfold chance. induction l as [|i l IH]; cbn; [lra|]. apply Rmult_lt_0_compat; [|exact IH]. unfold response.
  pose proof (weight_pos (e i)). pose proof (exp_pos (e i)). destruct Bool.eqb; nra.
Qed.
Lemma one_more_round i l u y : ~ In i l -> sum (vectors (i :: l)) (fun b => u b * chance e (i :: l) b y) =
  sum (vectors l) (fun b => (response e i true (y i) * u (put_in i b) + response e i false (y i) * u b) * chance e l b y).
Proof.
  intros out. cbn [vectors]. rewrite sum_app, sum_map, <- sum_plus. apply sum_eq. intros b V. unfold chance. cbn [both].
  rewrite (vectors_outside l b V i out). assert (bit : put_in i b i = true) by (unfold put_in; destruct dec; tauto). rewrite bit.
  fold (chance e l (put_in i b) y). fold (chance e l b y).
  rewrite (chance_ext e l (put_in i b) b y y); [ring | |auto].
  intros j J. unfold put_in. destruct dec as [->|]; [contradiction | reflexivity].
Qed.
Lemma all_answers l y : NoDup l -> sum (vectors l) (fun b => 1 * chance e l b y) = 1.
Proof.
  induction 1 as [|i l out N IH]; [cbn; unfold chance; cbn; lra|]. rewrite one_more_round by exact out.
  transitivity (sum (vectors l) (fun b => 1 * chance e l b y)); [|exact IH]. apply sum_eq. intros b _.
  assert (S : response e i true (y i) + response e i false (y i) = 1).
  { unfold response. pose proof (weight_one (e i)). destruct (y i); cbn [Bool.eqb]; lra. }
  cbv beta. rewrite !Rmult_1_r, S. reflexivity.
Qed.
Lemma extremes l : NoDup l -> (forall i, In i l -> 0 <= e i) -> forall u, rises u -> forall y,
  sum (vectors l) (fun b => u b * chance e l b none) <= sum (vectors l) (fun b => u b * chance e l b y) /\
  sum (vectors l) (fun b => u b * chance e l b y) <= sum (vectors l) (fun b => u b * chance e l b ones).
Proof.
  induction 1 as [|i l out N IH]; intros P u U y; [cbn; unfold chance; cbn; lra|]. rewrite !one_more_round by exact out.
  specialize (IH (fun j J => P j (or_intror J))). assert (X : 1 <= exp (e i)) by (rewrite <- exp_0; apply exp_le; apply P; now left).
  pose proof (weight_pos (e i)) as w0. unfold response. cbn [none ones]. set (x := exp (e i)) in *. set (w := weight (e i)) in *.
  assert (w1 : w <= x * w) by nra.
  assert (step : forall b b', (forall j, b j = true -> b' j = true) -> forall j, put_in i b j = true -> put_in i b' j = true).
  { intros b b' L j. unfold put_in. destruct dec; auto. }
  assert (mixed : forall c d, 0 <= c -> 0 <= d -> rises (fun b => c * u (put_in i b) + d * u b)).
  { intros c d C D b b' L. apply Rplus_le_compat; (apply Rmult_le_compat_l; [assumption|]); [exact (U _ _ (step b b' L)) | exact (U b b' L)]. }
  assert (more : forall b, u b <= u (put_in i b)) by (intro b; apply U, put_rises).
  assert (C : forall b z, 0 <= chance e l b z) by (intros; left; apply chance_pos).
  assert (compare : forall c c' d d' z, c + d = c' + d' -> c <= c' ->
    sum (vectors l) (fun b => (c * u (put_in i b) + d * u b) * chance e l b z) <= sum (vectors l) (fun b => (c' * u (put_in i b) + d' * u b) * chance e l b z)).
  { intros c c' d d' z S L. apply sum_le. intros b _. apply Rmult_le_compat_r; [apply C|]. specialize (more b). nra. }
  assert (xw : 0 <= x * w) by nra. destruct (y i); cbn [Bool.eqb]; split.
  - eapply Rle_trans; [apply (compare w (x * w) (x * w) w none); lra|]. apply (IH _ (mixed (x * w) w xw ltac:(lra)) y).
  - apply (IH _ (mixed (x * w) w xw ltac:(lra)) y).
  - apply (IH _ (mixed w (x * w) ltac:(lra) xw) y).
  - eapply Rle_trans; [apply (IH _ (mixed w (x * w) ltac:(lra) xw) y)|]. apply (compare w (x * w) (x * w) w ones); lra.
Qed.
Lemma some_chance l (bs : list (I -> bool)) v y : (forall b, 0 <= v b) -> 0 < sum bs v -> 0 < sum bs (fun b => v b * chance e l b y).
Proof.
  intros V. induction bs as [|b t IH]; cbn; [lra|]. intros S. pose proof (V b) as [vb|vb].
  - assert (0 <= sum t (fun b => v b * chance e l b y)) by (apply sum_pos; intros z _; apply Rmult_le_pos; [apply V | left; apply chance_pos]).
    pose proof (Rmult_lt_0_compat _ _ vb (chance_pos l b y)). lra.
  - assert (0 < sum t (fun b => v b * chance e l b y)) by (apply IH; lra). rewrite <- vb. lra.
Qed.
(* u is 1 on the set and 0 elsewhere; a1 and a0 are the chances of the set after all ones, and after all zeros *)
Theorem III_A_2 C (O : I -> Type) (coins : pm C) (A : @adversary C I O) l (u : (I -> bool) -> R) :
  NoDup l -> (forall i, In i l -> 0 <= e i) -> (forall i c h x y, In i l -> ind (e i) 0 (A i c h x) (A i c h y)) ->
  rises u -> (forall b, 0 <= u b <= 1) ->
  let inside := sum (vectors l) u in let outside := sum (vectors l) (fun b => 1 - u b) in 0 < inside -> 0 < outside ->
  let a y := sum (vectors l) (fun b => u b * chance e l b y) in
  let law0 g := sum (vectors l) (fun b => u b / inside * E (view coins A l b) g) in
  let law1 g := sum (vectors l) (fun b => (1 - u b) / outside * E (view coins A l b) g) in
  forall g, test g -> law0 g <= a ones / inside / ((1 - a ones) / outside) * law1 g /\
                      law1 g <= (1 - a none) / outside / (a none / inside) * law0 g.
Proof.
  intros N P H U T inside outside i0 o0 a law0 law1 g G.
  assert (split : forall y, sum (vectors l) (fun b => (1 - u b) * chance e l b y) = 1 - a y).
  { intros y. assert (together : sum (vectors l) (fun b => (1 - u b) * chance e l b y) + a y = 1); [|lra].
    transitivity (sum (vectors l) (fun b => 1 * chance e l b y)); [|now apply all_answers]. unfold a. rewrite <- sum_plus. apply sum_eq. intros b _. ring. }
  assert (a0 : forall y, 0 < a y) by (intro y; apply some_chance; [apply T | exact i0]).
  assert (a1 : forall y, 0 < 1 - a y).
  { intro y. rewrite <- split. apply some_chance; [intro b; specialize (T b); lra | exact o0]. }
  assert (scaled : forall (v : (I -> bool) -> R) n F, 0 < n -> sum (vectors l) (fun b => v b / n * F b) = sum (vectors l) (fun b => v b * F b) / n).
  { intros v n F Q. unfold Rdiv. rewrite (Rmult_comm (sum _ _) (/ n)), <- sum_mult. apply sum_eq. intros; ring. }
  split.
  - apply (V_B_exact C I O coins A e l (fun b => u b / inside) (fun b => (1 - u b) / outside)); auto. intros y.
    rewrite !scaled by assumption. rewrite split. fold (a y). destruct (extremes l N P u U y) as (_ & L). fold (a y) in L. fold (a ones) in L.
    pose proof (a1 y). pose proof (a1 ones). pose proof (a0 ones).
    apply Rmult_le_reg_r with (inside * (1 - a ones)); [apply Rmult_lt_0_compat; assumption|].
    replace (a y / inside * (inside * (1 - a ones))) with (a y * (1 - a ones)) by (field; lra).
    replace (a ones / inside / ((1 - a ones) / outside) * ((1 - a y) / outside) * (inside * (1 - a ones))) with (a ones * (1 - a y)) by (field; repeat split; lra).
    lra.
  - apply (V_B_exact C I O coins A e l (fun b => (1 - u b) / outside) (fun b => u b / inside)); auto. intros y.
    rewrite !scaled by assumption. rewrite split. fold (a y). destruct (extremes l N P u U y) as (L & _). fold (a y) in L. fold (a none) in L.
    pose proof (a1 y). pose proof (a1 none). pose proof (a0 none). pose proof (a0 y).
    apply Rmult_le_reg_r with (outside * a none); [apply Rmult_lt_0_compat; assumption|].
    replace ((1 - a y) / outside * (outside * a none)) with ((1 - a y) * a none) by (field; lra).
    replace ((1 - a none) / outside / (a none / inside) * (a y / inside) * (outside * a none)) with ((1 - a none) * a y) by (field; repeat split; lra).
    lra.
Qed.
End Closed.
