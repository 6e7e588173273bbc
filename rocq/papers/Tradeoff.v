(* Trade-off functions: Gaussian privacy for any family of them that shifts, two steps of a path, and two
   turns of which the second one reads the first one's output.

   For Gaussian privacy F is the normal distribution function, so that the levels 1 - F z are all numbers
   between 0 and 1; what holds at all of these holds at 0 and at 1. *)
From Coq Require Import Reals Lra Lia List ZArith Classical FunctionalExtensionality.
From Coq Require Eqdep_dec.
From Dpcomp Require Import Measure Notions Compose Databases Gaussian Rules Records Refute.
From Dpcomp.papers Require Import GB24 Granularities.
Import ListNotations.
Open Scope R_scope.
(* ---- VI.17 to VI.20: trade-off functions.  A family of them is given by a function F, as in Gaussian.v,
   where what is known of normal laws is put in. ---- *)
Definition least_error {O} (p q : pm O) (a t : R) := tradeoff p q a t /\ forall b, tradeoff p q a b -> b <= t.
Lemma least_error_exists O (p q : pm O) a : 0 <= a -> exists t, least_error p q a t /\ 0 <= t <= 1.
Proof.
  intros A. destruct (completeness (fun b => tradeoff p q a b)) as (t & up & least).
  - exists 1. intros b H. assert (z : test (fun _ : O => 0)) by (intro; lra). specialize (H _ z). rewrite !E_const in H. lra.
  - exists 0. intros g T _. pose proof (E_test _ q g T). lra.
  - exists t. assert (B : tradeoff p q a t).
    { intros g T L. apply least. intros b H. now apply H. }
    repeat split; auto.
    + apply up. intros g T _. pose proof (E_test _ q g T). lra.
    + apply least. intros b H. assert (z : test (fun _ : O => 0)) by (intro; lra). specialize (H _ z). rewrite !E_const in H. lra.
Qed.
(* the lemma of the proof of VI.20: T(P, R)(a) >= T(P'', R)(1 - T(P, P'')(a)) *)
Theorem VI_20_two_steps O (p m r : pm O) a s t u : 
  least_error p m a s -> least_error m r (1 - s) t -> least_error p r a u -> t <= u.
Proof.
  intros (A & _) (B & _) (_ & C). apply C. intros g T L. apply B; [assumption|]. specialize (A g T L). lra.
Qed.
Theorem VI_20 F T O (G : T -> T -> Prop) mu (M : T -> pm O) : (forall y z, y <= z -> F y <= F z) -> 0 <= mu ->
  ((forall D D', G D D' -> shifted F mu (M D) (M D')) <->
   (forall r D D', canonical G r D D' -> shifted F (INR r * mu) (M D) (M D'))).
Proof.
  intros up P. split.
  - intros H r D D' (s & L & p) z.
    cut (shifted F (INR s * mu) (M D) (M D')).
    { intros K g t l. specialize (K z g t l). eapply Rle_trans; [|exact K]. apply up. apply le_INR in L. nra. }
    clear L r z. induction p as [D|r D D' D'' n p IH].
    + intros z g t l. cbn. replace (z - 0 * mu) with z by ring. lra.
    + rewrite S_INR. replace ((INR r + 1) * mu) with (mu + INR r * mu) by ring. apply shifted_steps with (M D'); auto.
  - intros H D D' n. replace mu with (INR 1 * mu) by (cbn; ring). apply H. exists 1%nat. split; [auto | now apply path1].
Qed.
(* VII.1, VII.2: post-processing, and the parts of an independent composition *)
Theorem VII_1_gaussian F O P mu (p q : pm O) (h : O -> pm P) : shifted F mu p q -> shifted F mu (bind p h) (bind q h).
Proof. intros H z g T L. apply (H z (fun o => E (h o) g)); [|exact L]. intro o. now apply E_test. Qed.
Theorem VII_2_gaussian F T O P mu (M1 : T -> pm O) (M2 : T -> pm P) x y : shifted F mu (independent M1 M2 x) (independent M1 M2 y) ->
  shifted F mu (M1 x) (M1 y) /\ shifted F mu (M2 x) (M2 y).
Proof.
  intros H. split; intros z g G L.
  - specialize (H z (fun o => g (fst o)) (fun o => G (fst o))).
    rewrite (independent_first _ _ _ M1 M2 x g), (independent_first _ _ _ M1 M2 y g) in H by now apply bounded_test. auto.
  - specialize (H z (fun o => g (snd o)) (fun o => G (snd o))).
    rewrite (independent_second _ _ _ M1 M2 x g), (independent_second _ _ _ M1 M2 y g) in H. auto.
Qed.

(* ---- VI.21, A.16: the tests of two turns are no better than those of two independent pairs, of which
   each is as good as a turn.  The best tests of the first pair are nested events, as those of two
   normal distributions are half-lines. ---- *)
Theorem VI_21_two_turns S Y X Z (p q : pm S) (k k' : S -> pm Y) (P0 Q0 : pm X) (P1 Q1 : pm Z)
    (u : R -> X -> Prop) (best : R -> R) (v : R -> Z -> R) (h : R -> R) :
  (* the first pair: its best tests are nested events, and no event of the first turn is better *)
  (forall a, 0 <= a <= 1 -> prob P0 (u a) = a /\ prob Q0 (u a) = best a) -> (forall a b x, a <= b -> u a x -> u b x) ->
  (forall A, prob q A <= best (prob p A)) ->
  (* the second pair: its best tests, and no test of the second turn is better, whatever the first output was *)
  (forall a, 0 <= a <= 1 -> test (v a) /\ E P1 (v a) = a /\ E Q1 (v a) = h a) ->
  (forall a b, 0 <= a -> a <= b -> b <= 1 -> h a <= h b) ->
  (forall s t, test t -> E (k' s) t <= h (E (k s) t)) ->
  forall n a b, (0 < n)%nat -> tradeoff (two_turns P0 (fun _ => P1)) (two_turns Q0 (fun _ => Q1)) (a + / INR n) b ->
  tradeoff (two_turns p k) (two_turns q k') a b.
Proof. apply two_turns_at_most. Qed.
