(* Des, section 3.2.4: the loss of two mechanisms under partial knowledge, their dependency, Theorem 6 and
   Proposition 29, for finitely many outputs.  Laws are tables: p of the outputs given that the target's record
   is a, q given that it is b, each with the attacker's background.  An attacker that chooses the background is
   one for whom it is a single one; for one that is given it, losses are averaged over backgrounds. *)
From Coq Require Import Reals Lra Lia List Classical.
From Dpcomp Require Import Measure Notions Compose.
Import ListNotations.
Open Scope R_scope.

Definition pos (x : R) : R := Rmax 0 x.
Lemma pos_nonneg x : 0 <= pos x.
Proof. apply Rmax_l. Qed.
Lemma pos_sum x y : 0 <= x -> 0 <= y -> pos (1 - x * y) <= pos (1 - x) + pos (1 - y).
Proof. intros X Y. unfold pos, Rmax. repeat destruct Rle_dec; nra. Qed.
Lemma sum_swap A B (la : list A) (lb : list B) F : sum la (fun a => sum lb (F a)) = sum lb (fun b => sum la (fun a => F a b)).
Proof.
  induction la as [|a la IH]; cbn [sum].
  - symmetry. apply sum_zero. reflexivity.
  - rewrite IH, <- sum_plus. reflexivity.
Qed.
Lemma sum_in A (l : list A) f a : (forall x, 0 <= f x) -> In a l -> f a <= sum l f.
Proof.
  intros P. induction l as [|x l IH]; cbn; [tauto|]. assert (0 <= sum l f) by (apply sum_pos; auto). specialize (P x).
  intros [->|J]; [lra|]. specialize (IH J). lra.
Qed.

Section Knowledge.
Context {K : Type} (backgrounds : list K) (chance : K -> R) (chance_pos : forall z, 0 <= chance z).
(* e^-L for the loss L = ln (p / q); it is 0 where the loss is infinite, and does not count where p = 0 *)
Definition less (p q : R) : R := q / p.
(* the mean of max(0, 1 - e^(eps - L)) over outputs with the law p: the least delta at eps *)
Definition mean {A} (l : list A) (p : K -> A -> R) (u : K -> A -> R) (eps : R) : R :=
  sum backgrounds (fun z => chance z * sum l (fun o => p z o * pos (1 - exp eps * u z o))).
Definition loses {A} (l : list A) (p q : K -> A -> R) (eps delta : R) := mean l p (fun z o => less (p z o) (q z o)) eps <= delta.

Section Two.
Context {A B : Type} (la : list A) (lb : list B) (p q : K -> A -> B -> R).
Context (p_pos : forall z a b, 0 <= p z a b) (q_pos : forall z a b, 0 <= q z a b).
Definition one (r : K -> A -> B -> R) z a := sum lb (r z a).
Definition other (r : K -> A -> B -> R) z b := sum la (fun a => r z a b).
(* Definition 62: e^-dep, the loss of the second given the first one's output less its own; 0 is that of the
   pair less both where these are infinite *)
Definition dependency z a b : R :=
  if dec (one q z a = 0 \/ other q z b = 0) then 1
  else (q z a b / one q z a) * (one p z a / p z a b) / (other q z b / other p z b).
Lemma marginals z a b : In a la -> In b lb -> p z a b <= one p z a /\ p z a b <= other p z b /\ q z a b <= one q z a /\ q z a b <= other q z b.
Proof.
  intros I J. repeat split.
  - now apply (sum_in _ lb (p z a)).
  - now apply (sum_in _ la (fun a => p z a b)).
  - now apply (sum_in _ lb (q z a)).
  - now apply (sum_in _ la (fun a => q z a b)).
Qed.
(* the losses of both and the dependency add up to that of the pair *)
Theorem Thm6_losses z a b : In a la -> In b lb -> 0 < p z a b ->
  less (p z a b) (q z a b) = dependency z a b * (less (one p z a) (one q z a) * less (other p z b) (other q z b)).
Proof.
  intros I J P. destruct (marginals z a b I J) as (A1 & A2 & A3 & A4). pose proof (q_pos z a b). unfold dependency, less.
  destruct dec as [[Z|Z]|N].
  - assert (q z a b = 0) by lra. rewrite Z, H0. unfold Rdiv. ring.
  - assert (q z a b = 0) by lra. rewrite Z, H0. unfold Rdiv. ring.
  - assert (one q z a <> 0) by tauto. assert (other q z b <> 0) by tauto. field. repeat split; lra.
Qed.
Definition bounded_dependent (eps delta : R) := sum backgrounds (fun z => chance z * sum la (fun a => sum lb (fun b =>
  p z a b * pos (1 - exp eps * dependency z a b)))) <= delta.
Definition loses_both (eps delta : R) := sum backgrounds (fun z => chance z * sum la (fun a => sum lb (fun b =>
  p z a b * pos (1 - exp eps * less (p z a b) (q z a b))))) <= delta.
Theorem Thm6 e d e1 d1 e2 d2 : bounded_dependent e d -> loses la (one p) (one q) e1 d1 -> loses lb (other p) (other q) e2 d2 ->
  loses_both (e + e1 + e2) (d + d1 + d2).
Proof.
  intros H H1 H2. unfold bounded_dependent, loses, mean, loses_both in *.
  set (S := sum backgrounds _) in H at 1. set (S1 := sum backgrounds _) in H1 at 1. set (S2 := sum backgrounds _) in H2 at 1.
  apply Rle_trans with (S + S1 + S2); [|lra]. unfold S, S1, S2. rewrite <- !sum_plus. apply sum_le. intros z _.
  rewrite <- !Rmult_plus_distr_l. apply Rmult_le_compat_l; [apply chance_pos|].
  rewrite (sum_eq _ la (fun o => one p z o * _) (fun a => sum lb (fun b => p z a b * pos (1 - exp e1 * less (one p z a) (one q z a))))).
  2: { intros a _. unfold one at 1. rewrite (Rmult_comm (sum lb _)), <- sum_mult. apply sum_eq. intros; ring. }
  rewrite (sum_eq _ lb (fun o => other p z o * _) (fun b => sum la (fun a => p z a b * pos (1 - exp e2 * less (other p z b) (other q z b))))).
  2: { intros b _. unfold other at 1. rewrite (Rmult_comm (sum la _)), <- sum_mult. apply sum_eq. intros; ring. }
  rewrite <- (sum_swap A B la lb (fun a b => p z a b * pos (1 - exp e2 * less (other p z b) (other q z b)))).
  rewrite <- !sum_plus. apply sum_le. intros a I. rewrite <- !sum_plus. apply sum_le. intros b J.
  pose proof (p_pos z a b) as P. destruct P as [P|<-]; [|rewrite !Rmult_0_l; lra].
  rewrite <- !Rmult_plus_distr_l. apply Rmult_le_compat_l; [lra|].
  destruct (marginals z a b I J) as (A1 & A2 & A3 & A4). pose proof (q_pos z a b) as Q.
  rewrite (Thm6_losses z a b I J P), !exp_plus.
  assert (D : 0 <= dependency z a b).
  { unfold dependency. destruct dec as [o|n]; [lra|]. assert (0 < one q z a) by (destruct (Req_dec (one q z a) 0); tauto || lra).
    assert (0 < other q z b) by (destruct (Req_dec (other q z b) 0); tauto || lra).
    repeat (apply Rmult_le_pos || apply Rlt_le, Rinv_0_lt_compat || apply Rdiv_lt_0_compat); try lra. }
  assert (L1 : 0 <= less (one p z a) (one q z a)) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  assert (L2 : 0 <= less (other p z b) (other q z b)) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  pose proof (exp_pos e). pose proof (exp_pos e1). pose proof (exp_pos e2).
  set (u := dependency z a b) in *. set (v1 := less (one p z a) (one q z a)) in *. set (v2 := less (other p z b) (other q z b)) in *.
  replace (exp e * exp e1 * exp e2 * (u * (v1 * v2))) with (exp e * u * (exp e1 * v1 * (exp e2 * v2))) by ring.
  assert (0 <= exp e * u) by nra. assert (0 <= exp e1 * v1) by nra. assert (0 <= exp e2 * v2) by nra.
  pose proof (pos_sum (exp e * u) (exp e1 * v1 * (exp e2 * v2)) ltac:(assumption) ltac:(nra)).
  pose proof (pos_sum (exp e1 * v1) (exp e2 * v2) ltac:(assumption) ltac:(assumption)). lra.
Qed.
(* Proposition 29: outputs that are independent given a, and given b, with each background *)
Theorem Prop29 : (forall z a b, In a la -> In b lb -> p z a b = one p z a * other p z b /\ q z a b = one q z a * other q z b) ->
  bounded_dependent 0 0.
Proof.
  intros H. unfold bounded_dependent. right. apply sum_zero. intros z _. rewrite (sum_zero A la); [ring|]. intros a I. apply sum_zero. intros b J.
  destruct (p_pos z a b) as [P|<-]; [|ring]. destruct (marginals z a b I J) as (A1 & A2 & A3 & A4).
  assert (D : dependency z a b = 1).
  { unfold dependency. destruct dec as [o|n]; [reflexivity|]. assert (one q z a <> 0) by tauto. assert (other q z b <> 0) by tauto.
    destruct (H z a b I J) as (-> & ->). field. repeat split; lra. }
  rewrite D, exp_0. unfold pos. rewrite Rmax_left by lra. ring.
Qed.
End Two.

(* noise of its own keeps functions of the data independent *)
Theorem Prop29_noise V W A B (lv : list V) (lw : list W) (f : V -> R) (g : W -> R) (noise : V -> A -> R) (noise' : W -> B -> R) a b :
  sum lv (fun v => sum lw (fun w => f v * g w * (noise v a * noise' w b))) = sum lv (fun v => f v * noise v a) * sum lw (fun w => g w * noise' w b).
Proof.
  rewrite (sum_eq _ lv _ (fun v => sum lw (fun w => g w * noise' w b) * (f v * noise v a))).
  - rewrite sum_mult. ring.
  - intros v _. rewrite Rmult_comm, <- sum_mult. apply sum_eq. intros; ring.
Qed.

(* ---- k + 1 mechanisms: p of the outputs so far, the last one first; what each adds is its own loss and its
   dependency on all before it ---- *)
Section Many.
Context {A : Type} (la : list A) (p q : K -> list A -> R).
Context (p_pos : forall z h, 0 <= p z h) (q_pos : forall z h, 0 <= q z h).
Context (p_sum : forall z h, sum la (fun o => p z (o :: h)) = p z h) (q_sum : forall z h, sum la (fun o => q z (o :: h)) = q z h).
Fixpoint histories (n : nat) : list (list A) :=
  match n with O => [[]] | S m => flat_map (fun h => map (fun o => o :: h) la) (histories m) end.
Lemma sum_histories n F : sum (histories (S n)) F = sum (histories n) (fun h => sum la (fun o => F (o :: h))).
Proof.
  cbn [histories]. induction (histories n) as [|h t IH]; [reflexivity|]. cbn [flat_map sum]. rewrite sum_app, sum_map, IH. reflexivity.
Qed.
Definition last (r : K -> list A -> R) (n : nat) z (h : list A) (o : A) := r z (o :: h).
Definition own (r : K -> list A -> R) (n : nat) := other (histories n) (last r n).
Theorem Thm6_many k (e d e' d' : nat -> R) :
  (forall n, (n <= k)%nat -> loses la (own p n) (own q n) (e n) (d n)) ->
  (forall n, (1 <= n <= k)%nat -> bounded_dependent (histories n) la (last p n) (last q n) (e' n) (d' n)) ->
  loses (histories (S k)) p q (sum (seq 0 (S k)) e + sum (seq 1 k) e') (sum (seq 0 (S k)) d + sum (seq 1 k) d').
Proof.
  induction k as [|k IH]; intros H H'.
  - specialize (H 0%nat (Nat.le_refl 0)). cbn [seq sum]. rewrite !Rplus_0_r. unfold loses, mean, own, other in *. cbn [histories sum] in H.
    eapply Rle_trans; [|exact H]. right. apply sum_eq. intros z _. f_equal. rewrite sum_histories. cbn [histories sum]. rewrite Rplus_0_r.
    apply sum_eq. intros o _. unfold last. now rewrite !Rplus_0_r.
  - specialize (IH (fun n L => H n (Nat.le_trans _ _ _ L (Nat.le_succ_diag_r k)))
                   (fun n L => H' n (conj (proj1 L) (Nat.le_trans _ _ _ (proj2 L) (Nat.le_succ_diag_r k))))).
    specialize (H (S k) (Nat.le_refl _)). specialize (H' (S k) ltac:(lia)).
    assert (first : loses (histories (S k)) (one la (last p (S k))) (one la (last q (S k))) (sum (seq 0 (S k)) e + sum (seq 1 k) e') (sum (seq 0 (S k)) d + sum (seq 1 k) d')).
    { unfold loses, mean, one, last in *. eapply Rle_trans; [|exact IH]. right. apply sum_eq. intros z _. f_equal. apply sum_eq. intros h _.
      now rewrite p_sum, q_sum. }
    pose proof (Thm6 (histories (S k)) la (last p (S k)) (last q (S k)) (fun z h o => p_pos z (o :: h)) (fun z h o => q_pos z (o :: h))
      _ _ _ _ _ _ H' first H) as R.
    replace (sum (seq 0 (S (S k))) e + sum (seq 1 (S k)) e') with (e' (S k) + (sum (seq 0 (S k)) e + sum (seq 1 k) e') + e (S k)).
    2: { rewrite (seq_S (S k) 0), (seq_S k 1), !sum_app. cbn [sum]. cbn [Nat.add]. ring. }
    replace (sum (seq 0 (S (S k))) d + sum (seq 1 (S k)) d') with (d' (S k) + (sum (seq 0 (S k)) d + sum (seq 1 k) d') + d (S k)).
    2: { rewrite (seq_S (S k) 0), (seq_S k 1), !sum_app. cbn [sum]. cbn [Nat.add]. ring. }
    unfold loses, mean, loses_both, last in *. eapply Rle_trans; [|exact R]. right. apply sum_eq. intros z _. f_equal. now rewrite sum_histories.
Qed.
(* mutually independent outputs: the law of all so far is a product, with one factor f n for output n *)
Lemma total (r : K -> list A -> R) n z : (forall h, sum la (fun o => r z (o :: h)) = r z h) -> r z [] = 1 -> sum (histories n) (r z) = 1.
Proof.
  intros S one. induction n as [|n IH]; [cbn; lra|]. rewrite sum_histories, <- IH. apply sum_eq. intros h _. apply S.
Qed.
Theorem Prop29_many n (f g : K -> A -> R) : (forall z, p z [] = 1 /\ q z [] = 1) ->
  (forall z h o, In h (histories n) -> p z (o :: h) = p z h * f z o /\ q z (o :: h) = q z h * g z o) ->
  bounded_dependent (histories n) la (last p n) (last q n) 0 0.
Proof.
  intros start H. apply Prop29; [intros; apply p_pos | intros; apply q_pos |]. intros z h o I _. unfold last, one, other.
  rewrite p_sum, q_sum. destruct (H z h o I) as (-> & ->). destruct (start z) as (sp & sq).
  assert (P : sum (histories n) (fun h => p z (o :: h)) = f z o).
  { rewrite (sum_eq _ _ _ (fun h => f z o * p z h)) by (intros x J; rewrite (proj1 (H z x o J)); ring).
    rewrite sum_mult, (total p n z (p_sum z) sp). ring. }
  assert (Q : sum (histories n) (fun h => q z (o :: h)) = g z o).
  { rewrite (sum_eq _ _ _ (fun h => g z o * q z h)) by (intros x J; rewrite (proj2 (H z x o J)); ring).
    rewrite sum_mult, (total q n z (q_sum z) sq). ring. }
  rewrite P, Q. split; reflexivity.
Qed.
End Many.
End Knowledge.
