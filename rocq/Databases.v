(* Databases, classes, the worst choice of blocks, counting blocks, and the tactic for facts that
   need only the touched cells. *)
From Coq Require Import Reals Lra Lia List FunctionalExtensionality ZArith Classical FinFun.
From Dpcomp Require Import Measure Notions Compose.
Import ListNotations.
Open Scope R_scope.

(* ---- a database gives every cell a multiplicity; finitely many of them are not 0 ---- *)
Definition db (X : Type) := X -> Z.
Definition finite {X} (D : db X) := exists l, forall c, D c <> 0%Z -> In c l.
Fixpoint total {X} (l : list X) (D : db X) : Z := match l with [] => 0 | c :: t => D c + total t D end.
Definition limited {X K} (key : X -> K) (D : db X) (b : Z) :=       (* at most b records share a key *)
  forall l v, NoDup l -> (forall c, In c l -> key c = v) -> (total l D <= b)%Z.
Definition few_values {X K V} (each : X -> K) (of : X -> V) (D : db X) (b : Z) :=
  forall l v, NoDup (map of l) -> (forall c, In c l -> D c <> 0%Z /\ each c = v) -> (Z.of_nat (length l) <= b)%Z.
                                  (* the records that share a key have at most b different values *)
Definition sized {X} (D : db X) (n : Z) :=                          (* it has n records *)
  exists l, NoDup l /\ (forall c, D c <> 0%Z -> In c l) /\ total l D = n.
Definition keep {X} (m : X -> Prop) (D : db X) : db X := fun c => if dec (m c) then D c else 0%Z.
Definition put {X} (c x : X) (n : Z) : Z := if dec (c = x) then n else 0%Z.   (* n at x, else 0 *)
(* the blocks of a family are 1 .. k *)
Definition range (k : Z) : list Z := map Z.of_nat (seq 1 (Z.to_nat k)).
(* ... or pairs of such numbers *)
Definition pairs (h k : Z) : list (Z * Z) := list_prod (range h) (range k).
Definition power (a b : Z) : Z := Z.max 1 a ^ Z.max 0 b.   (* of numbers from 1 on, to numbers from 0 on *)

(* ---- the sum of the n largest f(i), i in l ---- *)
Fixpoint worst (n : nat) {I} (l : list I) (f : I -> R) : R :=
  match n, l with
  | S m, i :: t => Rmax (worst (S m) t f) (f i + worst m t f)
  | _, _ => 0
  end.
Definition one_if (P : Prop) : nat := if dec P then 1%nat else 0%nat.
Fixpoint cnt {I} (l : list I) (P : I -> Prop) : nat := match l with [] => 0 | i :: t => one_if (P i) + cnt t P end%nat.

Lemma worst_pos n I (l : list I) f : 0 <= worst n l f.
Proof. revert n. induction l; intros [|n]; cbn; try lra. eapply Rle_trans; [apply IHl | apply Rmax_l]. Qed.
Lemma worst_zero I (l : list I) f : worst 0 l f = 0.
Proof. now destruct l. Qed.
Lemma worst_nothing n I (l : list I) (f : I -> R) : (forall i, f i = 0) -> worst n l f = 0.
Proof.
  intros H. revert n. induction l as [|a l IH]; intros [|n]; cbn [worst]; try lra. rewrite !IH, H. rewrite Rmax_right; lra.
Qed.
Lemma worst_up n I (l : list I) (f : I -> R) : (forall i, In i l -> 0 <= f i) -> worst n l f <= worst (S n) l f.
Proof.
  revert n. induction l as [|a l IH]; intros n P; [destruct n; cbn; lra|].
  destruct n; [apply (worst_pos 1)|]. cbn [worst].
  assert (Q : forall i, In i l -> 0 <= f i) by (intros; apply P; now right).
  pose proof (IH n Q). pose proof (IH (S n) Q).
  apply Rmax_lub; [eapply Rle_trans; [eassumption | apply Rmax_l] | eapply Rle_trans; [|apply Rmax_r]; lra].
Qed.
Lemma worst_mono n m I (l : list I) (f g : I -> R) : (n <= m)%nat -> (forall i, In i l -> 0 <= f i <= g i) -> worst n l f <= worst m l g.
Proof.
  intros L P. apply Rle_trans with (worst n l g).
  - clear L. revert n. induction l as [|a l IH]; intros [|n]; cbn [worst]; try lra.
    assert (Q : forall i, In i l -> 0 <= f i <= g i) by (intros; apply P; now right).
    pose proof (P a (or_introl eq_refl)). pose proof (IH Q n). pose proof (IH Q (S n)).
    apply Rmax_lub; [eapply Rle_trans; [eassumption|apply Rmax_l] | eapply Rle_trans; [|apply Rmax_r]; lra].
  - assert (Q : forall i, In i l -> 0 <= g i) by (intros i J; destruct (P i J); lra).
    induction L; [lra|]. eapply Rle_trans; [exact IHL | now apply worst_up].
Qed.
Lemma sum_worst I (l : list I) (P : I -> Prop) (f : I -> R) n : (forall i, In i l -> 0 <= f i) -> (cnt l P <= n)%nat ->
  sum l (fun i => if dec (P i) then f i else 0) <= worst n l f.
Proof.
  revert n. induction l as [|a l IH]; intros n F L; [destruct n; cbn; lra|]. cbn [sum cnt] in *. unfold one_if in L.
  assert (Q : forall i, In i l -> 0 <= f i) by (intros; apply F; now right).
  destruct (dec (P a)).
  - destruct n as [|n]; [lia|]. cbn [worst]. eapply Rle_trans; [|apply Rmax_r].
    assert (sum l (fun i => if dec (P i) then f i else 0) <= worst n l f) by (apply IH; auto; lia). lra.
  - rewrite Rplus_0_l. eapply Rle_trans; [apply (IH n); auto|]. destruct n; cbn [worst]; [|apply Rmax_l].
    destruct l; cbn [worst]; lra.
Qed.
Lemma sum_all I (l : list I) (P : I -> Prop) f : (forall i, In i l -> 0 <= f i) -> sum l (fun i => if dec (P i) then f i else 0) <= sum l f.
Proof. intros H. apply sum_le. intros i J. specialize (H i J). destruct (dec (P i)); lra. Qed.
Lemma worst_sum n I (l : list I) (f : I -> R) : (forall i, In i l -> 0 <= f i) -> worst n l f <= sum l f.
Proof.
  revert n. induction l as [|a l IH]; intros [|n] P; cbn [worst sum]; try lra.
  - assert (0 <= sum (a :: l) f) by now apply sum_pos. cbn [sum] in *. lra.
  - assert (Q : forall i, In i l -> 0 <= f i) by (intros; apply P; now right).
    pose proof (IH n Q). pose proof (IH (S n) Q). pose proof (P a (or_introl eq_refl)). apply Rmax_lub; lra.
Qed.
Lemma worst_one I (l : list I) (f : I -> R) i : In i l -> (forall i, In i l -> 0 <= f i) -> f i <= worst 1 l f.
Proof.
  induction l as [|a l IH]; [intros []|]. intros [->|J] P; cbn [worst].
  - eapply Rle_trans; [|apply Rmax_r]. rewrite worst_zero. lra.
  - eapply Rle_trans; [apply IH; auto; intros; apply P; now right | apply Rmax_l].
Qed.
Lemma worst_times n I (l : list I) (f : I -> R) B : 0 <= B -> (forall i, In i l -> 0 <= f i <= B) -> worst n l f <= INR n * B.
Proof.
  intros P. revert n. induction l as [|a l IH]; intros n H.
  - destruct n; cbn [worst]; apply Rmult_le_pos; auto; apply pos_INR.
  - destruct n as [|n]; [cbn; lra|]. cbn [worst]. rewrite S_INR. destruct (H a (or_introl eq_refl)).
    assert (Q : forall i, In i l -> 0 <= f i <= B) by (intros; apply H; now right).
    pose proof (IH (S n) Q) as A. pose proof (IH n Q). rewrite S_INR in A.
    apply Rmax_lub; lra.
Qed.
Lemma worst_mult n I (l : list I) a (f : I -> R) : 0 <= a -> worst n l (fun i => a * f i) = a * worst n l f.
Proof.
  intros A. revert n. induction l as [|i l IH]; intros [|n]; cbn [worst]; try lra.
  rewrite !IH. rewrite <- Rmult_plus_distr_l. unfold Rmax. repeat destruct Rle_dec; try lra; nra.
Qed.

(* the blocks with P are among those with Q, or among those of a list *)
Lemma sum_where I (l : list I) (P Q : I -> Prop) (f : I -> R) : (forall i, In i l -> 0 <= f i) -> (forall i, In i l -> P i -> Q i) ->
  sum l (fun i => if dec (P i) then f i else 0) <= sum l (fun i => if dec (Q i) then f i else 0).
Proof. intros F H. apply sum_le. intros i J. specialize (F i J). specialize (H i J). destruct (dec (P i)), (dec (Q i)); tauto || lra. Qed.
Lemma sum_point I (l : list I) a (f : I -> R) : NoDup l -> 0 <= f a -> sum l (fun i => if dec (i = a) then f i else 0) <= f a.
Proof.
  intros N P. induction N as [|b l A N IH]; cbn [sum]; [assumption|]. destruct (dec (b = a)) as [->|ne]; [|lra].
  rewrite sum_zero; [lra|]. intros i J. destruct dec; [now subst | reflexivity].
Qed.
Lemma sum_listed I (l s : list I) (P : I -> Prop) (f : I -> R) : NoDup l -> (forall i, In i l -> 0 <= f i) -> (forall i, In i s -> 0 <= f i) ->
  (forall i, In i l -> P i -> In i s) -> sum l (fun i => if dec (P i) then f i else 0) <= sum s f.
Proof.
  intros N F G H. apply Rle_trans with (sum l (fun i => if dec (In i s) then f i else 0)); [now apply sum_where|]. clear H P.
  induction s as [|a s IH]; cbn [sum].
  - right. apply sum_zero. intros i _. destruct dec as [[]|]; reflexivity.
  - assert (Q : forall i, In i s -> 0 <= f i) by (intros; apply G; now right). specialize (IH Q).
    pose proof (sum_point I l a f N (G a (or_introl eq_refl))) as A. apply Rle_trans with
      (sum l (fun i => (if dec (i = a) then f i else 0) + (if dec (In i s) then f i else 0))); [|rewrite sum_plus; lra].
    apply sum_le. intros i J. specialize (F i J). cbn [In].
    destruct (dec (a = i \/ In i s)), (dec (i = a)), (dec (In i s)); try lra; exfalso; intuition congruence.
Qed.
Lemma INR_to_nat z : INR (Z.to_nat z) = IZR (Z.max 0 z).
Proof. rewrite INR_IZR_INZ. f_equal. lia. Qed.
(* Sums of the largest of numbers that are all the same: as many times this number as there are. *)
Lemma worst_number n I (l : list I) B : 0 <= B -> worst n l (fun _ => B) = B * worst n l (fun _ => 1).
Proof. intro P. rewrite <- worst_mult by exact P. f_equal. apply functional_extensionality. intro. ring. Qed.
Ltac not_negative := first [lra | apply growth_pos | apply Rmult_le_pos; not_negative | apply Rplus_le_le_0_compat; not_negative].
Ltac same_numbers := repeat match goal with
  | |- context [worst ?n ?l (fun _ : ?I => ?B)] =>
    lazymatch B with 1 => fail | _ => rewrite (worst_number n I l B) by not_negative end
  | H : context [worst ?n ?l (fun _ : ?I => ?B)] |- _ =>
    lazymatch B with 1 => fail | _ => rewrite (worst_number n I l B) in H by not_negative end
  | H : context [worst ?n ?l (fun _ : ?I => 1)] |- _ =>
    lazymatch goal with
    | _ : worst n l (fun _ => 1) <= INR n * 1 |- _ => fail
    | _ => pose proof (worst_times n I l (fun _ => 1) 1 ltac:(lra) ltac:(intros; lra))
    end
  end; cbn [INR] in *.
(* Sums over blocks of which one costs K times what the other does, where numbers have been added up:
   2 * eps i + 2 / 3 and eps i + 1 / 3.  K stands before what a block guarantees. *)
Ltac some_block I := lazymatch I with Z => constr:(0%Z) | (Z * Z)%type => constr:((0%Z, 0%Z)) end.
Ltac factor_of f g := lazymatch type of f with ?I -> _ =>
  let i := some_block I in let f := eval cbv beta in (f i) in let g := eval cbv beta in (g i) in
  match f with context [?h i] => let _ := match goal with _ => is_var h end in
    match g with context [?a * h i] => a | context [h i * ?a] => a | context [h i] => constr:(1) end end end.
Ltac in_numbers := repeat match goal with
  | |- context [Z.to_nat (Zpos ?p)] => let n := eval compute in (Z.to_nat (Zpos p)) in change (Z.to_nat (Zpos p)) with n
  | H : context [Z.to_nat (Zpos ?p)] |- _ => let n := eval compute in (Z.to_nat (Zpos p)) in change (Z.to_nat (Zpos p)) with n in H
  end.
Ltac same_blocks := repeat match goal with
  | H : context [sum ?l ?f] |- context [sum ?l ?g] => tryif constr_eq f g then fail else
    (let K := factor_of f g in replace (sum l g) with (K * sum l f) by (rewrite <- sum_mult; apply sum_eq; intros; field))
  | H : context [worst ?n ?l ?f] |- context [worst ?n ?l ?g] => tryif constr_eq f g then fail else
    (let K := factor_of f g in replace (worst n l g) with (K * worst n l f) by
      (rewrite <- (worst_mult n _ l K f) by lra; f_equal; apply functional_extensionality; intro; field))
  end.
Ltac same_value := first [lra | field | destruct dec; (lra || field)].
Ltac alike := repeat match goal with
  | H : context [sum ?l ?f], K : context [sum ?l ?g] |- _ => tryif constr_eq f g then fail else
    replace (sum l f) with (sum l g) in * by (apply sum_eq; intros; same_value)
  end.
Ltac no_cost := repeat match goal with
  | |- context [sum ?l ?f] => replace (sum l f) with 0 in * by (symmetry; apply sum_zero; intros; same_value)
  | H : context [sum ?l ?f] |- _ => replace (sum l f) with 0 in * by (symmetry; apply sum_zero; intros; same_value)
  end.
Ltac known_size z := lazymatch goal with _ : 0 <= IZR z |- _ => fail | _ => assert (0 <= IZR z) by (apply IZR_le; lia) end.
Ltac known_sizes := rewrite ?INR_to_nat in *; repeat match goal with
  | |- context [Z.max 0 ?z] => rewrite (Z.max_r 0 z) in * by lia
  | H : context [Z.max 0 ?z] |- _ => rewrite (Z.max_r 0 z) in * by lia end;
  rewrite ?mult_IZR, ?plus_IZR, ?minus_IZR in *; repeat match goal with
  | |- context [IZR ?z] => is_var z; known_size z
  | H : context [IZR ?z] |- _ => is_var z; known_size z end.
Ltac in_full := in_numbers; no_cost; same_numbers; same_blocks; first [lra | alike; lra | known_sizes; repeat match goal with
  _ : context [growth ?e ?r] |- _ => lazymatch goal with _ : 0 <= growth e r |- _ => fail | _ => pose proof (growth_pos e r) end end; nra].
Ltac last_way := fail.   (* in_full, where some guarantees are numbers *)
Ltac below_by leaf := first [ leaf | eapply Rle_trans; [|apply Rmax_l]; below_by leaf | eapply Rle_trans; [|apply Rmax_r]; below_by leaf ].
Ltac known_ones := repeat match goal with |- context [IZR ?z] =>
  is_var z; lazymatch goal with _ : 1 <= IZR z |- _ => fail | _ => assert (1 <= IZR z) by (apply IZR_le; lia) end end.
Ltac known_worst := repeat match goal with |- context [worst ?n ?l ?f] =>
  lazymatch goal with _ : 0 <= worst n l f |- _ => fail | _ => pose proof (worst_pos n _ l f) end end;
  repeat match goal with _ : context [worst 2 ?l ?f] |- _ =>
    lazymatch goal with _ : worst 2 l f <= 2 * worst 1 l f |- _ => fail
    | _ => assert (worst 2 l f <= 2 * worst 1 l f) by (apply (worst_times 2); [apply worst_pos | intros; split; [auto | apply worst_one; auto]]) end end;
  repeat match goal with _ : context [worst ?n ?l ?f] |- context [sum ?l _] =>
    lazymatch goal with _ : worst n l f <= sum l f |- _ => fail | _ => assert (worst n l f <= sum l f) by (apply worst_sum; auto) end end;
  repeat match goal with |- context [sum ?l ?f] =>
    lazymatch goal with _ : 0 <= sum l f |- _ => fail | _ => assert (0 <= sum l f) by (apply sum_pos; intros; auto) end end;
  repeat match goal with _ : context [worst ?n ?l ?f] |- context [worst ?m ?l ?g] =>
    lazymatch goal with _ : worst n l f <= worst m l g |- _ => fail
    | _ => assert (worst n l f <= worst m l g) by (apply worst_mono; [lia | intros; split;
        [apply Rmult_le_pos; [auto | apply growth_pos] | apply Rmult_le_compat_l; [auto | apply growth_mono; [lra | lia]]]]) end end.
Ltac below := first [ below_by ltac:(first [lra | solve [last_way]]) | known_ones; known_worst; known_sizes; below_by nra ].

(* ---- counting blocks ---- *)
Lemma cnt_split I (l : list I) (P Q : I -> Prop) : cnt l P = (cnt l (fun i => P i /\ Q i) + cnt l (fun i => P i /\ ~ Q i))%nat.
Proof. induction l; cbn; auto. rewrite IHl. unfold one_if. destruct (dec (P a)), (dec (P a /\ Q a)), (dec (P a /\ ~ Q a)); try tauto; try lia. Qed.
Lemma cnt_le I (l : list I) (P Q : I -> Prop) : (forall i, In i l -> P i -> Q i) -> (cnt l P <= cnt l Q)%nat.
Proof. induction l; cbn; intros H; auto. specialize (IHl (fun i J => H i (or_intror J))). specialize (H a (or_introl eq_refl)).
  unfold one_if. destruct (dec (P a)), (dec (Q a)); try lia. tauto. Qed.
Lemma cnt_list I (l : list I) (P : I -> Prop) : NoDup l -> exists s, NoDup s /\ length s = cnt l P /\ forall i, In i s -> In i l /\ P i.
Proof. induction 1 as [|a l A N (s & S & L & J)]; [exists []; repeat split; try constructor; tauto|].
  cbn. unfold one_if. destruct (dec (P a)).
  - exists (a :: s). repeat split; cbn; try lia.
    + constructor; auto. intros K. apply A, J, K.
    + destruct H; [now left; subst | right; now apply J].
    + destruct H; [congruence | now apply J].
  - exists s. repeat split; auto; [right|]; now apply J.
Qed.
(* at most n, if n + 1 different ones cannot be *)
Lemma cnt_le0 I (l : list I) (P : I -> Prop) : (forall a, In a l -> P a -> False) -> (cnt l P <= 0)%nat.
Proof. induction l; cbn; intros H; auto. unfold one_if. destruct dec; [destruct (H a); auto|]. cbn. apply IHl. intros. apply (H a0); auto. Qed.
Lemma cnt_le1 I (l : list I) (P : I -> Prop) : NoDup l -> (forall a b, In a l -> In b l -> a <> b -> P a -> P b -> False) -> (cnt l P <= 1)%nat.
Proof. intros N H. destruct (cnt_list I l P N) as (s & S & L & J). rewrite <- L. destruct s as [|a [|b s]]; cbn; try lia.
  exfalso. inversion_clear S. apply (H a b); try apply J; cbn; auto. intros ->. apply H0. now left. Qed.
Lemma cnt_le2 I (l : list I) (P : I -> Prop) : NoDup l -> (forall a b c, In a l -> In b l -> In c l -> a <> b -> a <> c -> b <> c -> P a -> P b -> P c -> False) -> (cnt l P <= 2)%nat.
Proof. intros N H. destruct (cnt_list I l P N) as (s & S & L & J). rewrite <- L. destruct s as [|a [|b [|c s]]]; cbn; try lia.
  exfalso. inversion_clear S. inversion_clear H1. apply (H a b c); try apply J; cbn; auto; intros ->; cbn in *; tauto. Qed.
Lemma cnt_all I (l : list I) (P : I -> Prop) : (cnt l P <= length l)%nat.
Proof. induction l; cbn; auto. unfold one_if. destruct (dec (P a)); lia. Qed.
Lemma cnt_or I (l : list I) (A B : I -> Prop) : (cnt l (fun i => A i \/ B i) <= cnt l A + cnt l B)%nat.
Proof. induction l; cbn; auto. unfold one_if. destruct (dec (A a \/ B a)), (dec (A a)), (dec (B a)); try lia; tauto. Qed.
Lemma cnt_pts1 I (l : list I) (P A : I -> Prop) m : (forall i, P i -> A i) -> (cnt l A <= m)%nat -> (cnt l P <= m)%nat.
Proof. intros H L. eapply Nat.le_trans; [apply (cnt_le I l P A); auto | exact L]. Qed.
Lemma cnt_pts2 I (l : list I) (P A B : I -> Prop) m n : (forall i, P i -> A i \/ B i) -> (cnt l A <= m)%nat -> (cnt l B <= n)%nat -> (cnt l P <= m + n)%nat.
Proof. intros H L K. eapply Nat.le_trans; [apply (cnt_le I l P (fun i => A i \/ B i)); auto |].
  eapply Nat.le_trans; [apply cnt_or | lia]. Qed.
Lemma cnt_both I (l : list I) (A B : I -> Prop) m n : (cnt l A <= m)%nat -> (cnt l B <= n)%nat ->
  (cnt l (fun i => A i /\ B i) + cnt l (fun i => A i /\ ~ B i) <= m /\ cnt l (fun i => A i /\ B i) + cnt l (fun i => B i /\ ~ A i) <= n)%nat.
Proof. intros H K. rewrite (cnt_split I l A B) in H. rewrite (cnt_split I l B A) in K. split; auto.
  replace (cnt l (fun i => B i /\ A i)) with (cnt l (fun i => A i /\ B i)) in K; auto.
  clear. induction l; cbn; auto. rewrite IHl. unfold one_if. destruct (dec (A a /\ B a)), (dec (B a /\ A a)); tauto || lia. Qed.
(* the blocks lie in the image of an interval of length n *)
Lemma cnt_image (l : list Z) (P : Z -> Prop) (g : Z -> Z) a n : NoDup l ->
  (forall i, P i -> exists j, (a <= j < a + n)%Z /\ i = g j) -> (cnt l P <= Z.to_nat n)%nat.
Proof.
  intros N H. destruct (cnt_list Z l P N) as (s & S & L & J). rewrite <- L.
  set (im := map (fun t => g (a + Z.of_nat t)%Z) (seq 0 (Z.to_nat n))).
  assert (K : incl s im).
  { intros i Ii. destruct (H i (proj2 (J i Ii))) as (j & ? & ->). unfold im. apply in_map_iff.
    exists (Z.to_nat (j - a)). split; [f_equal; lia | apply in_seq; lia]. }
  apply (NoDup_incl_length S) in K. unfold im in K. now rewrite map_length, seq_length in K.
Qed.
(* each block that changes has a changed cell of its own *)
Lemma changed_cells X K {I} (l : list I) (D E : db X) (key : X -> K) (ok : K -> Prop) (mem : I -> X -> Prop) (P : I -> Prop) : NoDup l ->
  (forall i, P i -> exists c, mem i c /\ D c <> E c /\ ok (key c)) ->
  (forall i j c, mem i c -> mem j c -> D c <> E c -> i = j) ->
  exists cs, NoDup cs /\ length cs = cnt l P /\ forall c, In c cs -> D c <> E c /\ ok (key c).
Proof.
  intros N H one. destruct (cnt_list I l P N) as (s & S & L & J). rewrite <- L. clear L.
  assert (W : exists cs, NoDup cs /\ length cs = length s /\ forall c, In c cs -> D c <> E c /\ ok (key c) /\ exists i, In i s /\ mem i c).
  { assert (Q : forall i, In i s -> P i) by (intros; now apply J). clear J. induction S as [|i s A S IH].
    - exists []. repeat split; try constructor; destruct H0.
    - destruct IH as (cs & C & L & F); [intros; apply Q; now right|].
      destruct (H i (Q i (or_introl eq_refl))) as (c & m & n & k). exists (c :: cs). repeat split; cbn; try lia.
      + constructor; auto. intros Z. destruct (F c Z) as (_ & _ & j & ? & ?). rewrite (one i j c) in A; auto.
      + destruct H0 as [->|H0]; auto. now apply F.
      + destruct H0 as [->|H0]; auto. now apply F.
      + destruct H0 as [->|H0]; [exists i; auto|]. destruct (F c0 H0) as (_ & _ & j & ? & ?). exists j; auto. }
  destruct W as (cs & C & L & F). exists cs. repeat split; auto; now apply F.
Qed.
Lemma length_changed X (D E : db X) cs : (forall c, 0 <= D c)%Z -> (forall c, 0 <= E c)%Z -> (forall c, In c cs -> D c <> E c) ->
  (Z.of_nat (length cs) <= total cs D + total cs E)%Z.
Proof.
  intros pD pE F. induction cs as [|c cs IH]; cbn [length total]; [lia|].
  pose proof (F c (or_introl eq_refl)) as n. specialize (IH (fun c I => F c (or_intror I))).
  specialize (pD c). specialize (pE c). lia.
Qed.
(* at most 2b changed blocks, if all changed records share a key that at most b records share *)
Lemma cnt_records X K {I} (l : list I) (D E : db X) (key : X -> K) v b (mem : I -> X -> Prop) (P : I -> Prop) : NoDup l ->
  (forall c, 0 <= D c)%Z -> (forall c, 0 <= E c)%Z -> limited key D b -> limited key E b ->
  (forall i, P i -> exists c, mem i c /\ D c <> E c /\ key c = v) ->
  (forall i j c, mem i c -> mem j c -> D c <> E c -> i = j) -> (cnt l P <= 2 * Z.to_nat b)%nat.
Proof.
  intros N pD pE lD lE H one. destruct (changed_cells X K l D E key (fun k => k = v) mem P N H one) as (cs & C & <- & F).
  specialize (lD cs v C (fun c I => proj2 (F c I))). specialize (lE cs v C (fun c I => proj2 (F c I))).
  pose proof (length_changed X D E cs pD pE (fun c I => proj1 (F c I))). lia.
Qed.
(* ... at most b where records only come, or only go *)
Lemma cnt_records_one_way X K {I} (l : list I) (D E : db X) (key : X -> K) v b (mem : I -> X -> Prop) (P : I -> Prop) : NoDup l ->
  (forall c, 0 <= D c)%Z -> (forall c, 0 <= E c)%Z -> limited key D b -> limited key E b ->
  (forall i, P i -> exists c, mem i c /\ D c <> E c /\ key c = v) ->
  (forall i j c, mem i c -> mem j c -> D c <> E c -> i = j) ->
  (forall c, key c = v -> D c <> E c -> D c <= E c)%Z \/ (forall c, key c = v -> D c <> E c -> E c <= D c)%Z ->
  (cnt l P <= Z.to_nat b)%nat.
Proof.
  intros N pD pE lD lE H one W. destruct (changed_cells X K l D E key (fun k => k = v) mem P N H one) as (cs & C & <- & F).
  specialize (lD cs v C (fun c I => proj2 (F c I))). specialize (lE cs v C (fun c I => proj2 (F c I))).
  assert (Z.of_nat (length cs) <= Z.max (total cs D) (total cs E))%Z; [|lia].
  clear lD lE C. destruct W as [W|W].
  - assert (Z.of_nat (length cs) + total cs D <= total cs E /\ 0 <= total cs D)%Z; [|lia].
    induction cs as [|c cs IH]; cbn [length total]; [lia|]. destruct (F c (or_introl eq_refl)) as (n & k).
    specialize (IH (fun c I => F c (or_intror I))). specialize (W c k n). specialize (pD c). lia.
  - assert (Z.of_nat (length cs) + total cs E <= total cs D /\ 0 <= total cs E)%Z; [|lia].
    induction cs as [|c cs IH]; cbn [length total]; [lia|]. destruct (F c (or_introl eq_refl)) as (n & k).
    specialize (IH (fun c I => F c (or_intror I))). specialize (W c k n). specialize (pE c). lia.
Qed.
(* ... or one of n keys *)
Lemma limited_many X K (key : X -> K) (D : db X) b (v : nat -> K) n cs : (forall c, 0 <= D c)%Z -> limited key D b -> NoDup cs ->
  (forall c, In c cs -> exists j, (j < n)%nat /\ key c = v j) -> (total cs D <= Z.of_nat n * b)%Z.
Proof.
  intros P L. revert cs. induction n as [|n IH]; intros cs N H.
  - destruct cs as [|c cs]; [cbn; lia|]. destruct (H c (or_introl eq_refl)) as (j & J & _). lia.
  - set (last := fun c => if dec (key c = v n) then true else false).
    assert (S : total cs D = (total (filter last cs) D + total (filter (fun c => negb (last c)) cs) D)%Z).
    { clear. induction cs as [|c cs IH]; cbn; [reflexivity|]. destruct (last c); cbn; lia. }
    assert (A : (total (filter last cs) D <= b)%Z).
    { apply (L _ (v n)); [now apply NoDup_filter|]. intros c J. apply filter_In in J. destruct J as (_ & J).
      unfold last in J. destruct dec; [assumption | discriminate]. }
    assert (B : (total (filter (fun c => negb (last c)) cs) D <= Z.of_nat n * b)%Z); [|lia].
    apply IH; [now apply NoDup_filter|]. intros c J. apply filter_In in J. destruct J as (J & neg).
    destruct (H c J) as (j & M & e). exists j. split; [|exact e]. unfold last in neg. destruct dec as [|ne]; [discriminate|].
    destruct (Nat.eq_dec j n); [subst; contradiction | lia].
Qed.
Lemma cnt_keyed X K (l : list Z) (D E : db X) (key : X -> K) (v : nat -> K) n b (mem : Z -> X -> Prop) (P : Z -> Prop) : NoDup l ->
  (forall c, 0 <= D c)%Z -> (forall c, 0 <= E c)%Z -> limited key D b -> limited key E b ->
  (forall i, P i -> exists c, mem i c /\ D c <> E c /\ exists j, (j < n)%nat /\ key c = v j) ->
  (forall i j c, mem i c -> mem j c -> D c <> E c -> i = j) -> (cnt l P <= 2 * (n * Z.to_nat b))%nat.
Proof.
  intros N pD pE lD lE H one.
  destruct (changed_cells X K l D E key (fun k => exists j, (j < n)%nat /\ k = v j) mem P N H one) as (cs & C & <- & F).
  pose proof (limited_many X K key D b v n cs pD lD C (fun c I => proj2 (F c I))).
  pose proof (limited_many X K key E b v n cs pE lE C (fun c I => proj2 (F c I))).
  pose proof (length_changed X D E cs pD pE (fun c I => proj1 (F c I))). nia.
Qed.
(* at most 2b changed blocks, if all changed records share a key of which records have at most b
   different values, and with the key these tell in which block a record is *)
Lemma cnt_values X K V B (l : list B) (D E : db X) (each : X -> K) (of : X -> V) v b (mem : B -> X -> Prop) (P : B -> Prop) : NoDup l ->
  few_values each of D b -> few_values each of E b ->
  (forall i, P i -> exists c, mem i c /\ D c <> E c /\ each c = v) ->
  (forall i j c d, mem i c -> mem j d -> each c = v -> each d = v -> of c = of d -> i = j) -> (Z.of_nat (cnt l P) <= 2 * b)%Z.
Proof.
  intros N F G H one. destruct (cnt_list B l P N) as (s & S & <- & J). clear N.
  assert (Q : forall i, In i s -> P i) by (intros; now apply J). clear J.
  assert (W : exists cs ds, (length s = length cs + length ds)%nat /\ NoDup (map of cs) /\ NoDup (map of ds) /\
    (forall c, In c cs -> (D c <> 0%Z /\ each c = v) /\ exists i, In i s /\ mem i c) /\
    (forall c, In c ds -> (E c <> 0%Z /\ each c = v) /\ exists i, In i s /\ mem i c)).
  { induction S as [|i s A S IH].
    - exists [], []. repeat split; try constructor; destruct H0.
    - destruct IH as (cs & ds & L & C & C' & R & R'); [intros; apply Q; now right|].
      destruct (H i (Q i (or_introl eq_refl))) as (c & m & n & k).
      assert (new : forall t, (forall x, In x t -> each x = v /\ exists j, In j s /\ mem j x) -> ~ In (of c) (map of t)).
      { intros t T there. apply in_map_iff in there. destruct there as (x & e & there). destruct (T x there) as (kx & j & J & M).
        apply A. now rewrite (one i j c x). }
      destruct (Z.eq_dec (D c) 0%Z) as [z|nz].
      + exists cs, (c :: ds). cbn. repeat split; auto; try lia.
        * constructor; [|assumption]. apply new. intros x there. destruct (R' x there) as ((? & ?) & ?). auto.
        * apply R. assumption.
        * apply R. assumption.
        * destruct (R c0 H0) as (_ & j & ? & ?). exists j. auto.
        * destruct H0 as [<-|I]; [congruence | now apply R'].
        * destruct H0 as [<-|I]; [assumption | now apply R'].
        * destruct H0 as [<-|I]; [exists i; auto |]. destruct (R' c0 I) as (_ & j & ? & ?). exists j. auto.
      + exists (c :: cs), ds. cbn. repeat split; auto; try lia.
        * constructor; [|assumption]. apply new. intros x there. destruct (R x there) as ((? & ?) & ?). auto.
        * destruct H0 as [<-|I]; [congruence | now apply R].
        * destruct H0 as [<-|I]; [assumption | now apply R].
        * destruct H0 as [<-|I]; [exists i; auto |]. destruct (R c0 I) as (_ & j & ? & ?). exists j. auto.
        * apply R'. assumption.
        * apply R'. assumption.
        * destruct (R' c0 H0) as (_ & j & ? & ?). exists j. auto. }
  destruct W as (cs & ds & L & C & C' & R & R').
  specialize (F cs v C (fun c I => proj1 (R c I))). specialize (G ds v C' (fun c I => proj1 (R' c I))). lia.
Qed.
Lemma range_nodup k : NoDup (range k).
Proof. unfold range. apply Injective_map_NoDup; [intros a b; lia | apply seq_NoDup]. Qed.
Lemma pairs_nodup h k : NoDup (pairs h k).
Proof.
  unfold pairs. pose proof (range_nodup h) as N. induction N as [|a l A N IH]; cbn; [constructor|].
  assert (J : forall m, NoDup m -> NoDup (map (fun y : Z => (a, y)) m ++ list_prod l (range k))).
  { induction 1 as [|b m B M J]; cbn; [exact IH|]. constructor; [|exact J]. intros H. apply in_app_or in H. destruct H as [H|H].
    - apply in_map_iff in H. destruct H as (y & e & H). congruence.
    - apply in_prod_iff in H. now destruct H. }
  apply J, range_nodup.
Qed.
Ltac blocks_nodup := first [apply range_nodup | apply pairs_nodup].
Ltac two_numbers := repeat match goal with p : (Z * Z)%type |- _ => destruct p end; cbn [fst snd] in *;
  match goal with ne : _ <> _ |- False => apply ne; f_equal; intuition (congruence || lia) end.
Lemma range_in k i : In i (range k) -> (1 <= i <= k)%Z.
Proof. unfold range. rewrite in_map_iff. intros (n & <- & H). apply in_seq in H. lia. Qed.
Lemma in_range k i : (1 <= i <= k)%Z -> In i (range k).
Proof. intros L. unfold range. apply in_map_iff. exists (Z.to_nat i). split; [lia | apply in_seq; lia]. Qed.
Lemma pairs_in h k i : In i (pairs h k) -> (1 <= fst i <= h /\ 1 <= snd i <= k)%Z.
Proof. destruct i as (a, b). unfold pairs. rewrite in_prod_iff. intros (A & B). split; now apply range_in. Qed.
Lemma power_pos a b : (0 < power a b)%Z.
Proof. apply Z.pow_pos_nonneg; lia. Qed.

(* two cells, each in one block at most: in one block together, or in two *)
Lemma sum_two_cells I (l : list I) (A B : I -> Prop) (f : I -> nat -> R) : (forall i r, In i l -> 0 <= f i r) -> (forall i, In i l -> f i 0%nat = 0) ->
  (cnt l A <= 1)%nat -> (cnt l B <= 1)%nat ->
  sum l (fun i => f i (one_if (A i) + one_if (B i))%nat) <= worst 2 l (fun i => f i 1%nat) \/
  sum l (fun i => f i (one_if (A i) + one_if (B i))%nat) <= worst 1 l (fun i => f i 2%nat).
Proof.
  intros P zero a b. destruct (classic (exists i, In i l /\ A i /\ B i)) as [(i & J & Ai & Bi)|none].
  - right. eapply Rle_trans; [|apply (sum_worst I l A (fun i => f i 2%nat) 1); auto]. right. apply sum_eq. intros j K.
    destruct (cnt_both I l A B 1 1 a b) as (two & two').
    assert (one : (1 <= cnt l (fun i => A i /\ B i))%nat).
    { clear - J Ai Bi. induction l as [|x l IH]; [destruct J|]. cbn. unfold one_if. destruct J as [->|J]; [destruct dec; [lia | tauto]|]. specialize (IH J). lia. }
    assert (out : forall Q : I -> Prop, (cnt l Q <= 0)%nat -> ~ Q j).
    { intros Q Z q. clear - K Z q. induction l as [|x l IH]; [destruct K|]. cbn in Z. unfold one_if in Z. destruct K as [->|K]; [destruct dec; [lia | tauto]|].
      apply IH; [assumption | lia]. }
    assert (~ (A j /\ ~ B j)) by (apply (out (fun i => A i /\ ~ B i)); lia).
    assert (~ (B j /\ ~ A j)) by (apply (out (fun i => B i /\ ~ A i)); lia).
    unfold one_if. destruct (dec (A j)), (dec (B j)); cbn; tauto || auto.
  - left. eapply Rle_trans; [|apply (sum_worst I l (fun i => A i \/ B i) (fun i => f i 1%nat) 2); [auto|]].
    + right. apply sum_eq. intros j K. unfold one_if. destruct (dec (A j)), (dec (B j)), (dec (A j \/ B j)); cbn; auto; try tauto. destruct none. exists j. auto.
    + eapply Nat.le_trans; [apply cnt_or | lia].
Qed.
(* two blocks cost no more than one that costs twice as much *)
Lemma worst_two I (l : list I) (f g : I -> R) : (forall i, In i l -> 0 <= f i) -> (forall i, In i l -> 2 * f i <= g i) -> worst 2 l f <= worst 1 l g.
Proof.
  intros P H. eapply Rle_trans; [apply (worst_times 2 I l f (/ 2 * worst 1 l g)); [pose proof (worst_pos 1 I l g); lra|]|cbn; lra].
  intros i J. split; [auto|]. pose proof (P i J). pose proof (H i J).
  assert (g i <= worst 1 l g); [|lra]. apply worst_one; [exact J|]. intros j K. specialize (P j K). specialize (H j K). lra.
Qed.

(* ---- classes are kept by what is smaller ---- *)
Lemma finite_sub X (D F : db X) : finite D -> (forall c, F c <> 0%Z -> D c <> 0%Z) -> finite F.
Proof. intros (l & L) H. exists l. auto. Qed.
Lemma finite_sub2 X (D E F : db X) : finite D -> finite E -> (forall c, F c <> 0%Z -> D c <> 0%Z \/ E c <> 0%Z) -> finite F.
Proof. intros (l & L) (m & M) H. exists (l ++ m). intros c C. apply in_or_app. destruct (H c C); auto. Qed.
Lemma limited_sub X K (key : X -> K) (D F : db X) b : limited key D b -> (forall c, F c <= D c)%Z -> limited key F b.
Proof. intros L H l v N J. specialize (L l v N J). assert (total l F <= total l D)%Z; [|lia].
  clear -H. induction l as [|a l IH]; cbn; [lia|]. specialize (H a). lia. Qed.
Lemma few_values_sub X K V (each : X -> K) (of : X -> V) (D F : db X) b : few_values each of D b -> (forall c, F c <> 0 -> D c <> 0)%Z -> few_values each of F b.
Proof. intros L H l v N J. apply (L l v N). intros c I. destruct (J c I). auto. Qed.
Lemma keep_whole X (m : X -> Prop) (D : db X) : (forall c, D c <> 0%Z -> m c) -> keep m D = D.
Proof.
  intro H. apply functional_extensionality. intro c. unfold keep. destruct (dec (m c)) as [|n]; [reflexivity|].
  destruct (Z.eq_dec (D c) 0%Z) as [e|e]; [now rewrite e|]. destruct (n (H c e)).
Qed.
Lemma keep_diff X (m : X -> Prop) D E : keep m D <> keep m E -> exists c, m c /\ D c <> E c.
Proof. intros H. apply NNPP. intros N. apply H. apply functional_extensionality. intros c. unfold keep.
  destruct (dec (m c)); auto. apply NNPP. intros K. apply N. now exists c. Qed.
Lemma db_diff X (D E : db X) : D <> E -> exists c, D c <> E c.
Proof. intros H. apply NNPP. intros N. apply H. apply functional_extensionality. intros c. apply NNPP. intros K. apply N. now exists c. Qed.

(* ---- the tactic for structural facts: instantiate at the touched cells, split, decide.  Every
   hypothesis over all cells is taken at each cell that there is, and then forgotten; arithmetic
   and equality prune before the next case is split. ---- *)
Definition mark {A B} (a : A) (b : B) := True.
Ltac splits := repeat match goal with
  | H : exists _, _ |- _ => destruct H
  | H : _ /\ _ |- _ => destruct H
  | H : True |- _ => clear H
  end.
Ltac touch C := repeat match goal with
  | H : forall c : C, _, x : C |- _ =>
      lazymatch type of H with ?t => lazymatch type of t with Prop => idtac end end;
      lazymatch goal with _ : mark H x |- _ => fail | _ => idtac end;
      assert (mark H x) by exact I; pose proof (H x)
  end; repeat match goal with K : mark _ _ |- _ => clear K end;
  repeat match goal with H : forall c : C, _ |- _ => lazymatch type of H with ?t => lazymatch type of t with Prop => clear H end end end.
(* divisors are written so that they are positive whatever a symbol is: here it is known to be *)
Ltac divisors := repeat match goal with
  | H : context [Z.max 1 ?k] |- _ => rewrite (Z.max_r 1 k) in H by lia
  | |- context [Z.max 1 ?k] => rewrite (Z.max_r 1 k) by lia
  end.
Ltac quick := first [contradiction | lia | congruence].
Ltac cases1 := repeat (cbv beta in *; match goal with
  | H : exists _, _ |- _ => destruct H
  | H : _ /\ _ |- _ => destruct H
  | H : True |- _ => clear H
  | H : False |- _ => destruct H
  | H : ?x = ?x |- _ => clear H
  | H : ?x = ?y |- _ => is_var x; is_var y; subst
  | H : ~ ~ _ |- _ => apply NNPP in H
  | H : ~ (_ \/ _) |- _ => apply not_or_and in H
  | H : ~ (_ -> _) |- _ => apply imply_to_and in H
  | H : ?P -> _, K : ?P |- _ => lazymatch type of P with Prop => specialize (H K) end
  | H : context [if dec ?P then _ else _] |- _ => destruct (dec P); try contradiction
  | |- context [if dec ?P then _ else _] => destruct (dec P); try contradiction
  end).
Ltac cases2 := repeat (cases1; match goal with
  | H : _ \/ _ |- _ => destruct H; try contradiction; try lia
  | H : ~ (_ /\ _) |- _ => apply not_and_or in H
  | H : ?P -> ?Q |- _ => lazymatch type of P with Prop => idtac end;
      let q := fresh in destruct (dec P) as [q|q]; [specialize (H q) | clear H]; try contradiction; try lia
  end); cases1.
Ltac settle C := first [exact I |
  intros; splits; touch C; cases1; try quick; cases2; try quick; try (apply NNPP; intro; cases2; quick)].
(* powers of the same number are one, and are positive: no more is known of them *)
Ltac powers :=
  repeat match goal with |- context [power ?a ?b] => match goal with H : context [power a ?c] |- _ =>
    lazymatch b with c => fail | _ => replace (power a b) with (power a c) in * by (f_equal; lia) end end end;
  repeat match goal with |- context [power ?a ?b] =>
    let p := fresh "p" in let e := fresh "e" in
    pose proof (power_pos a b); remember (power a b) as p eqn:e; clear e end.
(* ---- databases with at most one record ---- *)
Lemma total_put X (l : list X) x n : NoDup l -> (0 <= n)%Z -> (0 <= total l (fun c => put c x n) <= n)%Z.
Proof.
  intros N P. induction N as [|a l A N IH]; cbn; [lia|]. unfold put at 1 3. destruct (dec (a = x)) as [->|ne]; [|lia].
  assert (total l (fun c => put c x n) = 0%Z); [|lia]. clear - A. induction l as [|b l IH]; cbn; [reflexivity|].
  unfold put at 1. destruct (dec (b = x)) as [->|ne]; [destruct A; now left|]. rewrite IH; [reflexivity|].
  intro J. apply A. now right.
Qed.
Lemma total_ext X (l : list X) D E : (forall c, D c = E c) -> total l D = total l E.
Proof. intros H. induction l; cbn; congruence. Qed.
Lemma total_none X (l : list X) D : (forall c, D c = 0%Z) -> total l D = 0%Z.
Proof. intros H. induction l; cbn; [reflexivity|]. rewrite H, IHl. reflexivity. Qed.
Lemma limited_none X K (key : X -> K) D b : (forall c, D c = 0%Z) -> (0 <= b)%Z -> limited key D b.
Proof. intros H P l v _ _. rewrite total_none; auto. Qed.
Lemma limited_one X K (key : X -> K) D x b : (forall c, D c = put c x 1) -> (1 <= b)%Z -> limited key D b.
Proof. intros H P l v N _. rewrite (total_ext _ _ _ _ H). pose proof (total_put X l x 1 N). lia. Qed.
Lemma few_values_none X K V (each : X -> K) (of : X -> V) (D : db X) b : (forall c, D c = 0%Z) -> (0 <= b)%Z -> few_values each of D b.
Proof. intros H P [|c l] v _ J; cbn [length]; [lia|]. destruct (J c (or_introl eq_refl)) as (n & _). now rewrite H in n. Qed.
Lemma few_values_one X K V (each : X -> K) (of : X -> V) (D : db X) x b : (forall c, D c <> 0%Z -> c = x) -> (1 <= b)%Z -> few_values each of D b.
Proof.
  intros H P [|c [|d l]] v N J; cbn [length]; try lia. exfalso. inversion_clear N. apply H0. left.
  rewrite (H c), (H d); [reflexivity | |]; apply J; cbn; auto.
Qed.
Lemma sized_none X (D : db X) n : sized D n -> (forall c, D c = 0%Z) -> n = 0%Z.
Proof. intros (l & _ & _ & <-) H. now apply total_none. Qed.
Lemma sized_one X (D : db X) x n : sized D n -> (forall c, D c = put c x 1) -> n = 1%Z.
Proof.
  intros (l & N & S & <-) H. assert (J : In x l).
  { apply S. rewrite H. unfold put. destruct dec; [discriminate | tauto]. }
  rewrite (total_ext _ _ _ _ H). pose proof (total_put X l x 1 N ltac:(lia)).
  assert (1 <= total l (fun c => put c x 1))%Z; [|lia]. clear - J N. induction N as [|a l A N IH]; [destruct J|].
  cbn. pose proof (total_put X l x 1 N ltac:(lia)). unfold put at 1. destruct (dec (a = x)); [lia|].
  destruct J; [contradiction|]. specialize (IH H0). lia.
Qed.
