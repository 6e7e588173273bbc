(* Countable distributions: weights on 0, 1, 2, ... that sum up to 1, and what they put out. *)
From Coq Require Import Reals Lra Lia Classical.
From Dpcomp Require Import Measure.
Open Scope R_scope.

Section Countable.
Variable O : Type.
Variable w : nat -> R.          (* the weights *)
Variable out : nat -> O.        (* the outputs, repeated or not *)
Hypothesis w_pos : forall n, 0 <= w n.
Hypothesis w_one : infinite_sum w 1.

Definition partial (f : O -> R) := sum_f_R0 (fun n => w n * f (out n)).
Lemma partial_cauchy f : bounded f -> Cauchy_crit (partial f).
Proof.
  intros (b & B).
  assert (b_pos : 0 <= b) by (pose proof (B (out 0)); pose proof (Rabs_pos (f (out 0))); lra).
  apply (cauchy_abs (fun n => w n * f (out n))).
  assert (X : {l : R | Un_cv (sum_f_R0 (fun n => Rabs (w n * f (out n)))) l}).
  { apply (Rseries_CV_comp _ (fun n => b * w n)).
    - intro n. split; [apply Rabs_pos|]. rewrite Rabs_mult, (Rabs_right (w n)) by (apply Rle_ge; auto).
      specialize (B (out n)). specialize (w_pos n). nra.
    - exists (b * 1).
      assert (C : Un_cv (fun n => b * sum_f_R0 w n) (b * 1)).
      { apply (CV_mult (fun _ => b)); [|exact w_one]. intros e E. exists 0%nat. intros.
        unfold R_dist. rewrite Rminus_diag_eq by reflexivity. now rewrite Rabs_R0. }
      intros e E. destruct (C e E) as (N & H). exists N. intros n L.
      replace (sum_f_R0 (fun k => b * w k) n) with (b * sum_f_R0 w n); [now apply H|].
      rewrite scal_sum. apply sum_eq. intros; ring. }
  apply CV_Cauchy. exact X.
Qed.
Definition mean (f : O -> R) : R :=
  match dec (Cauchy_crit (partial f)) with
  | left c => proj1_sig (R_complete _ c)
  | right _ => 0
  end.
Lemma mean_limit f : bounded f -> Un_cv (partial f) (mean f).
Proof.
  intros B. unfold mean. destruct dec as [c|c]; [apply proj2_sig|].
  destruct c. now apply partial_cauchy.
Qed.
Definition countable : pm O.
Proof.
  refine (PM mean _ _ _ _).
  - intros f g F G H. eapply Rle_cv_lim; [|now apply mean_limit | now apply mean_limit].
    intro n. apply sum_Rle. intros k _. specialize (w_pos k). specialize (H (out k)). nra.
  - intros f g F G. eapply UL_sequence; [apply mean_limit; now apply bounded_plus|].
    intros e X. destruct (CV_plus _ _ _ _ (mean_limit f F) (mean_limit g G) e X) as (N & H).
    exists N. intros n L. specialize (H n L).
    replace (partial (fun o => f o + g o) n) with (partial f n + partial g n); [exact H|].
    unfold partial. rewrite <- sum_plus. apply sum_eq. intros; ring.
  - intros a f F. eapply UL_sequence; [apply mean_limit; now apply bounded_mult|].
    assert (C : Un_cv (fun n => a * partial f n) (a * mean f)).
    { apply (CV_mult (fun _ => a)); [|now apply mean_limit]. intros e X. exists 0%nat. intros.
      unfold R_dist. rewrite Rminus_diag_eq by reflexivity. now rewrite Rabs_R0. }
    intros e X. destruct (C e X) as (N & H). exists N. intros n L. specialize (H n L).
    replace (partial (fun o => a * f o) n) with (a * partial f n); [exact H|].
    unfold partial. rewrite scal_sum. apply sum_eq. intros; ring.
  - eapply UL_sequence; [apply mean_limit; apply bounded_const|].
    intros e X. destruct (w_one e X) as (N & H). exists N. intros n L. specialize (H n L).
    replace (partial (fun _ => 1) n) with (sum_f_R0 w n); [exact H|].
    unfold partial. apply sum_eq. intros; ring.
Defined.
(* the probability of an event is the sum of the weights of its outputs *)
Theorem countable_prob S :
  infinite_sum (fun n => w n * (if dec (S (out n)) then 1 else 0)) (prob countable S).
Proof. apply (mean_limit (event S)). apply bounded_test, event_test. Qed.
End Countable.
