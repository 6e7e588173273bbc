(* Theorems of Des (composition under partial knowledge): mechanisms in a chain, of which each reads the
   output of the one before. *)
From Coq Require Import Reals Lra Lia Classical.
From Dpcomp Require Import Measure Notions Refute.
Open Scope R_scope.

(* the least value of a test, which need not be attained *)
Lemma infimum O (f : O -> R) : test f -> (exists o : O, True) ->
  exists m, 0 <= m /\ (forall o, m <= f o) /\ forall b, (forall o, b <= f o) -> b <= m.
Proof.
  intros T (o0 & _). destruct (completeness (fun v => exists o, v = - f o)) as (s & up & least).
  - exists 0. intros v (o & ->). destruct (T o). lra.
  - exists (- f o0). now exists o0.
  - exists (- s). split; [|split].
    + assert (s <= 0); [|lra]. apply least. intros v (o & ->). destruct (T o). lra.
    + intros o. assert (- f o <= s) by (apply up; now exists o). lra.
    + intros b B. assert (s <= - b); [|lra]. apply least. intros v (o & ->). specialize (B o). lra.
Qed.
Definition chained (x y : R) := (1 + x * y) / (x + y).
Theorem chain O P (p q : pm O) (k : O -> pm P) e1 e2 : 0 <= e1 -> 0 <= e2 ->
  ind e1 0 p q -> ind e1 0 q p -> (forall o o', ind e2 0 (k o) (k o')) ->
  ind (ln (chained (exp e1) (exp e2))) 0 (bind p k) (bind q k).
Proof.
  intros E1 E2 H H' K g G. assert (X : 1 <= exp e1) by (rewrite <- exp_0; now apply exp_le).
  assert (Y : 1 <= exp e2) by (rewrite <- exp_0; now apply exp_le). set (x := exp e1) in *. set (y := exp e2) in *.
  assert (C : 0 < chained x y) by (apply Rdiv_lt_0_compat; nra). rewrite exp_ln by exact C. rewrite Rplus_0_r. cbn.
  set (f := fun o => E (k o) g). assert (F : test f) by (intro o; now apply E_test).
  destruct (classic (exists o : O, True)) as [some|none].
  - destruct (infimum O f F some) as (m & M0 & low & great).
    assert (high : forall o, f o <= y * m).
    { intros o. assert (f o / y <= m).
      { apply great. intros o'. apply Rmult_le_reg_r with y; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
        specialize (K o o' g G). fold y in K. change (E (k o) g) with (f o) in K. change (E (k o') g) with (f o') in K. lra. }
      apply (Rmult_le_compat_r y) in H0; [|lra]. unfold Rdiv in H0. rewrite Rmult_assoc, Rinv_l in H0 by lra. lra. }
    change (E p f <= chained x y * E q f). set (d := (y - 1) * m). assert (D0 : 0 <= d) by (unfold d; nra).
    destruct (Rle_lt_or_eq_dec 0 d D0) as [D|D].
    + assert (T : test (fun o => / d * f o + - (m / d))).
      { intro o. specialize (low o). specialize (high o). assert (0 < / d) by now apply Rinv_0_lt_compat.
        assert (U : / d * d = 1) by (apply Rinv_l; lra). replace (/ d * f o + - (m / d)) with (/ d * (f o - m)) by (unfold Rdiv; ring).
        assert (f o - m <= d) by (unfold d; lra). split; nra. }
      specialize (H _ T). pose proof (H' (fun o => 1 - (/ d * f o + - (m / d)))) as L.
      assert (T' : test (fun o => 1 - (/ d * f o + - (m / d)))) by (intro o; destruct (T o); lra). specialize (L T').
      assert (B : bounded f) by now apply bounded_test.
      rewrite !E_affine in H by exact B.
      assert (other : forall r : pm O, E r (fun o => 1 - (/ d * f o + - (m / d))) = - / d * E r f + (1 + m / d)).
      { intros r. rewrite <- E_affine by exact B. apply E_ext; [now apply bounded_test | apply bounded_plus; auto with bounded |].
        intro o. unfold Rdiv. ring. }
      rewrite !other in L. fold x in H, L. set (s := E p f) in *. set (u := E q f) in *.
      assert (A1 : s - m <= x * (u - m)).
      { apply Rmult_le_reg_l with (/ d); [now apply Rinv_0_lt_compat|]. unfold Rdiv in H. lra. }
      assert (A2 : d + m - u <= x * (d + m - s)).
      { apply Rmult_le_reg_l with (/ d); [now apply Rinv_0_lt_compat|]. assert (U : / d * d = 1) by (apply Rinv_l; lra).
        unfold Rdiv in L. replace (/ d * (d + m - u)) with (/ d * d + / d * m - / d * u) by ring.
        replace (/ d * (x * (d + m - s))) with (x * (/ d * d + / d * m - / d * s)) by ring. rewrite U. lra. }
      apply Rmult_le_reg_r with (x + y); [lra|].
      replace (chained x y * u * (x + y)) with ((1 + x * y) * u) by (unfold chained; field; lra).
      assert (dm : d + m = y * m) by (unfold d; ring). rewrite dm in A2. nra.
    + (* y = 1 or m = 0: the second mechanism says nothing about its input *)
      assert (same : forall o, f o = m).
      { intros o. specialize (low o). specialize (high o). unfold d in D. symmetry in D. apply Rmult_integral in D. destruct D as [D|D]; [|nra].
        replace y with 1 in high by lra. lra. }
      assert (S : forall r : pm O, E r f = m).
      { intros r. rewrite (E_ext _ r f (fun _ => m)); [apply E_const | now apply bounded_test | apply bounded_const | exact same]. }
      rewrite !S. assert (1 <= chained x y); [|nra]. unfold chained. apply Rmult_le_reg_r with (x + y); [lra|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
  - assert (S : forall r : pm O, E r f = 0).
    { intros r. rewrite (E_ext _ r f (fun _ => 0)); [apply E_const | now apply bounded_test | apply bounded_const |].
      intros o. destruct none. now exists o. }
    fold f. rewrite !S. lra.
Qed.
(* randomized response twice attains it *)
Theorem chain_attained e1 e2 : 0 <= e1 -> 0 <= e2 -> exists (p q : pm bool) (k : bool -> pm bool) (S : bool -> Prop),
  ind e1 0 p q /\ ind e1 0 q p /\ (forall o o', ind e2 0 (k o) (k o')) /\ 0 < prob (bind q k) S /\
  prob (bind p k) S = chained (exp e1) (exp e2) * prob (bind q k) S.
Proof.
  intros E1 E2. assert (X : 1 <= exp e1) by (rewrite <- exp_0; now apply exp_le).
  assert (Y : 1 <= exp e2) by (rewrite <- exp_0; now apply exp_le). set (x := exp e1) in *. set (y := exp e2) in *.
  set (a := / (1 + x)). set (b := / (1 + y)). assert (A : a * (1 + x) = 1) by (unfold a; field; lra).
  assert (B : b * (1 + y) = 1) by (unfold b; field; lra). assert (A0 : 0 < a) by (apply Rinv_0_lt_compat; lra).
  assert (B0 : 0 < b) by (apply Rinv_0_lt_compat; lra). assert (A1 : a <= 1) by nra. assert (B1 : b <= 1) by nra.
  assert (V : forall r, 0 <= r <= 1 -> forall g, E (coin r) g = r * g true + (1 - r) * g false) by (intros r R g; cbn; now rewrite clip_same).
  assert (near : forall z c, 1 <= z -> 0 < c -> c * (1 + z) = 1 -> forall g, test g ->
    E (coin (1 - c)) g <= z * E (coin c) g + 0 /\ E (coin c) g <= z * E (coin (1 - c)) g + 0).
  { intros z c Z C0 CZ g G. assert (c1 : c <= 1) by nra. rewrite !V by lra. destruct (G true), (G false).
    assert (cz : 1 - c = z * c) by lra. replace (1 - (1 - c)) with c by ring. rewrite cz.
    set (u := g true) in *. set (v := g false) in *.
    assert (0 <= c * (z * z - 1) * u) by (repeat apply Rmult_le_pos; nra). assert (0 <= c * (z * z - 1) * v) by (repeat apply Rmult_le_pos; nra).
    split; lra. }
  exists (coin (1 - a)), (coin a), (fun o : bool => if o then coin (1 - b) else coin b), (fun o => o = true).
  split; [intros g G; now apply near|]. split; [intros g G; now apply near|]. split.
  - intros o o' g G. fold y. destruct (near y b Y B0 B g G) as (N1 & N2).
    pose proof (E_test _ (coin (1 - b)) g G). pose proof (E_test _ (coin b) g G).
    destruct o, o'; [nra | exact N1 | exact N2 | nra].
  - assert (E1' : E (coin (1 - b)) (event (fun o => o = true)) = 1 - b /\ E (coin b) (event (fun o => o = true)) = b).
    { rewrite !V by lra. unfold event. destruct dec as [|n]; [|tauto]. destruct dec as [n|]; [discriminate|]. lra. }
    assert (W : forall r, 0 <= r <= 1 -> prob (bind (coin r) (fun o : bool => if o then coin (1 - b) else coin b)) (fun o => o = true) = r * (1 - b) + (1 - r) * b).
    { intros r R. unfold prob. cbn [bind E]. rewrite V by exact R. destruct E1' as (-> & ->). reflexivity. }
    rewrite !W by lra. split; [nra|]. unfold chained. assert (ax : 1 - a = x * a) by lra. assert (bx : 1 - b = y * b) by lra.
    replace (1 - (1 - a)) with a by ring. rewrite ax, bx. field. lra.
Qed.
(* tanh(eps/2) = (z-1)/(z+1), z = e^eps, multiplies *)
Theorem chain_tanh x y : 1 <= x -> 1 <= y ->
  (chained x y - 1) / (chained x y + 1) = (x - 1) / (x + 1) * ((y - 1) / (y + 1)) /\ 1 <= chained x y.
Proof.
  intros X Y. unfold chained. split; [field; repeat split; nra|].
  apply Rmult_le_reg_r with (x + y); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

(* ---- nested: noise of its own that is added to a function of uncertain data.  Both together are as good as
   the function without the noise, and as the noise where the law r of all else is one for both ---- *)
Theorem Figure3_5_either S V O (r : pm S) (f f' : S -> V) (noise : V -> pm O) e d :
  ind e d (bind r (fun s => dirac (f s))) (bind r (fun s => dirac (f' s))) \/ (forall s, ind e d (noise (f s)) (noise (f' s))) ->
  ind e d (bind r (fun s => noise (f s))) (bind r (fun s => noise (f' s))).
Proof.
  intros [H|H] g G.
  - exact (H (fun v => E (noise v) g) (fun v => E_test _ _ g G)).
  - cbn. rewrite <- E_affine by auto with bounded. apply E_mono; auto with bounded. intro s. now apply H.
Qed.
(* the function without the noise need not have one law of all else *)
Theorem Figure3_5_function S S' V O (p : pm S) (q : pm S') (f : S -> V) (f' : S' -> V) (noise : V -> pm O) e d :
  ind e d (bind p (fun s => dirac (f s))) (bind q (fun s => dirac (f' s))) ->
  ind e d (bind p (fun s => noise (f s))) (bind q (fun s => noise (f' s))).
Proof. intros H g G. exact (H (fun v => E (noise v) g) (fun v => E_test _ _ g G)). Qed.
