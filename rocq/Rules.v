(* The rules of the kernel, one theorem each, of the same name.

   A metric is given by what is within r of what; [leq d1 d2] says d1 <= d2.  A choice of blocks
   puts each block into one of some groups, or into none; group j has room for n j of them. *)
From Coq Require Import Reals Lra Lia List Classical.
From Dpcomp Require Import Measure Notions Compose Databases.
Import ListNotations.
Open Scope R_scope.

Definition metric T := nat -> T -> T -> Prop.
Definition leq {T} (d1 d2 : metric T) := forall r x y, d2 r x y -> d1 r x y.
Definition upward {T} (d : metric T) := forall r s x y, (r <= s)%nat -> d r x y -> d s x y.
Definition canonical {T} (G : T -> T -> Prop) : metric T := fun r x y => exists s, (s <= r)%nat /\ path G s x y.
Definition pullback {T U} (d : metric U) (f : T -> U) : metric T := fun r x y => d r (f x) (f y).
Definition rescaled {T} (c : nat) (d : metric T) : metric T := fun r x y => exists s, d s x y /\ (c * s <= r)%nat.
Definition sensitive {T U} (f : T -> U) (c : nat) (d1 : metric T) (d2 : metric U) :=
  forall r x y, d1 r x y -> d2 (c * r)%nat (f x) (f y).
Definition push {T U} (G : T -> T -> Prop) (f : T -> U) (u v : U) := exists x y, f x = u /\ f y = v /\ G x y.
Inductive quotient {T U} (d : metric T) (f : T -> U) : metric U :=
| Q0 : forall u, quotient d f 0%nat u u
| QS : forall r s x y v, d r x y -> quotient d f s (f y) v -> quotient d f (r + s)%nat (f x) v.

Section Mechanisms.
Variable N : notion.
Definition private {T O} (d : metric T) (g : R) (M : T -> pm O) :=
  forall r x y, d r x y -> rel N (sc N r * g) (M x) (M y).
Definition between {T O} (G : T -> T -> Prop) (g : R) (M : T -> pm O) := forall x y, G x y -> rel N g (M x) (M y).
Definition depends_only {T U O} (f : T -> U) (M : T -> pm O) := forall x y, f x = f y -> M x = M y.

Theorem everywhere T O (G : T -> T -> Prop) g (M : T -> pm O) : 0 <= g -> between G g M -> private (canonical G) g M.
Proof.
  intros P H r x y (s & L & p). apply rel_up with (sc N s * g); [|now apply (group N _ _ G)].
  apply Rmult_le_compat_r; [assumption | now apply sc_mono].
Qed.
(* ... in (eps, delta) *)
Theorem everywhere_delta T O (G : T -> T -> Prop) e d (M : T -> pm O) : 0 <= e -> 0 <= d ->
  (forall x y, G x y -> ind e d (M x) (M y)) ->
  forall r x y, canonical G r x y -> ind (INR r * e) (growth e r * d) (M x) (M y).
Proof.
  intros P Q H r x y (s & L & p). apply ind_weaken with (INR s * e) (growth e s * d); [| |now apply (group_delta _ _ G)].
  - apply Rmult_le_compat_r; [assumption | now apply le_INR].
  - apply Rmult_le_compat_r; [assumption | apply growth_mono; [right; reflexivity | assumption]].
Qed.
Theorem between_neighbours T O (G : T -> T -> Prop) g (M : T -> pm O) : private (canonical G) g M -> between G g M.
Proof. intros H x y n. rewrite <- (Rmult_1_l g), <- (sc_1 N). apply H. exists 1%nat. split; [auto | now apply path1]. Qed.
Theorem weaken_metric T O (d1 d2 : metric T) g (M : T -> pm O) : private d1 g M -> leq d1 d2 -> private d2 g M.
Proof. intros H L r x y K. apply H. now apply L. Qed.
Theorem rescale_guarantee T O (d : metric T) c g (M : T -> pm O) : private (rescaled c d) g M -> private d (sc N c * g) M.
Proof.
  intros H r x y K. replace (sc N r * (sc N c * g)) with (sc N (c * r) * g) by (rewrite sc_mult; ring).
  apply H. exists r. auto.
Qed.
Theorem metric_of_sensitivity T U (f : T -> U) c d1 d2 : upward d2 -> sensitive f c d1 d2 -> leq (pullback d2 f) (rescaled c d1).
Proof. intros W H r x y (s & K & L). apply W with (c * s)%nat; [assumption | now apply H]. Qed.
Theorem pull_back_leq T U (f : T -> U) d1 d2 : leq d1 d2 -> leq (pullback d1 f) (pullback d2 f).
Proof. intros H r x y K. now apply H. Qed.
Theorem rescale_leq T c (d1 d2 : metric T) : leq d1 d2 -> leq (rescaled c d1) (rescaled c d2).
Proof. intros H r x y (s & K & L). exists s. auto. Qed.
Theorem transitive_leq T (d1 d2 d3 : metric T) : leq d1 d2 -> leq d2 d3 -> leq d1 d3.
Proof. intros H K r x y Z. apply H, K, Z. Qed.
Theorem preprocess T U O (f : T -> U) (d : metric U) g (M : U -> pm O) : private d g M -> private (pullback d f) g (fun x => M (f x)).
Proof. intros H r x y K. now apply H. Qed.
Theorem run_adaptively I T (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) l x y (e : I -> R) :
  (forall i, In i l -> 0 <= e i) -> (forall i h, In i l -> rel N (e i) (M i h x) (M i h y)) ->
  rel N (sum l e) (comp M l [] x) (comp M l [] y).
Proof. apply adaptive. Qed.
(* ... in (eps, delta) *)
Theorem run_adaptively_delta I T (O : I -> Type) (M : forall i, outputs O -> T -> pm (O i)) l x y (e d : I -> R) :
  (forall i, In i l -> 0 <= d i) -> (forall i h, In i l -> ind (e i) (d i) (M i h x) (M i h y)) ->
  ind (sum l e) (sum l d) (comp M l [] x) (comp M l [] y).
Proof. apply adaptive_delta. Qed.
Theorem run_family T (O : BinNums.Z -> Type) (M : forall i, outputs O -> T -> pm (O i)) k x y (e : BinNums.Z -> R) :
  (forall i, In i (range k) -> 0 <= e i) -> (forall i h, In i (range k) -> rel N (e i) (M i h x) (M i h y)) ->
  rel N (sum (range k) e) (comp M (range k) [] x) (comp M (range k) [] y).
Proof. apply adaptive. Qed.
Theorem postprocess T O P (d : metric T) g (M : T -> pm O) (h : O -> pm P) : 0 <= g ->
  private d g M -> private d g (fun x => bind (M x) h).
Proof.
  intros G H r x y K. replace (sc N r * g) with (sc N r * g + 0) by ring. apply rel_bind.
  - apply Rmult_le_pos; [apply sc_pos | assumption].
  - lra.
  - now apply H.
  - intro. apply rel_refl.
Qed.
Theorem pushforward T U O (G : T -> T -> Prop) (f : T -> U) g (M : T -> pm O) : 0 <= g ->
  between G g M -> depends_only f M -> private (pullback (canonical (push G f)) f) g M.
Proof.
  intros P H dep r x y (s & L & p).
  apply rel_up with (sc N s * g); [apply Rmult_le_compat_r; [assumption | now apply sc_mono]|]. clear L r.
  remember (f x) as u eqn:Eu. remember (f y) as v eqn:Ev. revert x Eu.
  induction p as [u|s u w v (a & b & A & B & n) p IH]; intros x Eu.
  - rewrite (dep x y) by congruence. rewrite sc_0, Rmult_0_l. apply rel_refl.
  - rewrite (dep x a) by congruence. specialize (IH Ev b (eq_sym B)). specialize (H a b n). destruct s.
    + inversion p; subst. rewrite <- (dep b y) by congruence. now rewrite sc_1, Rmult_1_l.
    + change (S (S s)) with (1 + S s)%nat. apply rel_chain with (M b); auto; try lia.
      now rewrite sc_1, Rmult_1_l.
Qed.
(* ... for a guarantee at a metric that keeps different databases apart *)
Theorem pushforward_metric T U O (d : metric T) (f : T -> U) g (M : T -> pm O) : 0 <= g ->
  (forall x y, d 0%nat x y -> x = y) ->
  private d g M -> depends_only f M -> private (pullback (quotient d f) f) g M.
Proof.
  intros P sep H dep r x y p. unfold pullback in p.
  remember (f x) as u eqn:Eu. remember (f y) as v eqn:Ev. revert x Eu.
  induction p as [u|r s a b v n p IH]; intros x Eu.
  - rewrite (dep x y) by congruence. rewrite sc_0, Rmult_0_l. apply rel_refl.
  - rewrite (dep x a) by congruence. specialize (IH Ev b eq_refl). destruct r as [|r].
    + cbn. now rewrite (sep _ _ n).
    + destruct s as [|s].
      * rewrite Nat.add_0_r. assert (f b = v).
        { clear - p sep. remember 0%nat as z. remember (f b) as u. induction p as [|r s a c v n p IH]; auto.
          assert (r = 0%nat) by lia. assert (s = 0%nat) by lia. subst. rewrite (sep _ _ n). apply IH; auto.
          now rewrite (sep _ _ n) in Hequ. }
        rewrite (dep y b) by congruence. now apply H.
      * apply rel_chain with (M b); auto; lia.
Qed.
Theorem maximum_over_neighbours I T (G : T -> T -> Prop) (O : I -> Type) (d : I -> metric T)
    (M : forall i, outputs O -> T -> pm (O i)) (g : I -> R) l B :
  (forall i, In i l -> 0 <= g i) -> (forall i h, In i l -> private (d i) (g i) (M i h)) ->
  (forall x y, G x y -> exists r : I -> nat, (forall i, In i l -> d i (r i) x y) /\ sum l (fun i => sc N (r i) * g i) <= B) ->
  between G B (comp M l []).
Proof.
  intros P H S x y n. destruct (S x y n) as (r & K & L). eapply rel_up; [exact L|].
  apply adaptive with (e := fun i => sc N (r i) * g i).
  - intros. apply Rmult_le_pos; [apply sc_pos | auto].
  - intros. apply H; auto.
Qed.
Theorem change_guarantee T O (G : T -> T -> Prop) g h (M : T -> pm O) : between G g M -> g <= h -> between G h M.
Proof. intros H L x y n. eapply rel_up; [exact L | auto]. Qed.

(* ---- ranges of sizes: S is a choice of all sizes ---- *)
Theorem restrict S (B C : S -> Prop) (claim : S -> Prop) : (forall s, B s -> claim s) -> forall s, B s /\ C s -> claim s.
Proof. intros H s (K & _). auto. Qed.
Theorem cover_cases S J (B : J -> S -> Prop) (within : S -> Prop) T O (G : S -> T -> T -> Prop) (g : J -> S -> R) (M : S -> T -> pm O) (h : S -> R) :
  (forall j s, B j s -> between (G s) (g j s) (M s)) -> (forall s, within s -> exists j, B j s) ->
  (forall j s, B j s -> h s = g j s) ->
  forall s, within s -> between (G s) (h s) (M s).
Proof. intros H W E s K. destruct (W s K) as (j & L). rewrite (E j s L). now apply H. Qed.

(* ---- profiles ---- *)
Theorem common_distance T U (G : T -> T -> Prop) (f : T -> U) x y : G x y -> pullback (canonical (push G f)) f 1%nat x y.
Proof. intros n. exists 1%nat. split; auto. apply path1. now exists x, y. Qed.
Theorem compatible_profile I T (U : I -> Type) (G : T -> T -> Prop) (f : forall i, T -> U i) (d : forall i, metric (U i)) (c : I -> nat) :
  (forall x y, G x y -> forall i j, f i x <> f i y -> f j x <> f j y -> i = j) ->
  (forall i, sensitive (f i) (c i) (canonical G) (d i)) -> (forall i u, d i 0%nat u u) ->
  forall x y, G x y -> exists r : I -> nat, (forall i, pullback (d i) (f i) (r i) x y) /\
    (forall i j, r i <> 0%nat -> r j <> 0%nat -> i = j) /\ (forall i, (r i <= c i)%nat).
Proof.
  intros one sens zero x y n. exists (fun i => if dec (f i x = f i y) then 0%nat else c i). repeat split; intros i.
  - unfold pullback. destruct dec as [e|e]; [rewrite e; apply zero|].
    replace (c i) with (c i * 1)%nat by lia. apply sens. exists 1%nat. split; auto. now apply path1.
  - intros j. repeat destruct dec; try tauto. intros. now apply (one x y n).
  - destruct dec; lia.
Qed.
Theorem weaken_profile I T (d : I -> metric T) (G : T -> T -> Prop) (V W : (I -> nat) -> Prop) :
  (forall x y, G x y -> exists r, V r /\ forall i, d i (r i) x y) -> (forall i, upward (d i)) ->
  (forall v, V v -> exists w, W w /\ forall i, (v i <= w i)%nat) ->
  forall x y, G x y -> exists r, W r /\ forall i, d i (r i) x y.
Proof.
  intros H up K x y n. destruct (H x y n) as (v & Vv & L). destruct (K v Vv) as (w & Ww & le).
  exists w. split; auto. intros i. now apply (up i (v i)).
Qed.
End Mechanisms.

(* ---- inequalities; every number is at least 0 ---- *)
Theorem bounded_polynomial I (monomials : list I) (a b m : I -> R) : (forall i, In i monomials -> 0 <= m i) ->
  (forall i, In i monomials -> a i <= b i) -> sum monomials (fun i => a i * m i) <= sum monomials (fun i => b i * m i).
Proof. intros P H. apply sum_le. intros i J. apply Rmult_le_compat_r; auto. Qed.
Theorem transitive a b c : a <= b -> b <= c -> a <= c.
Proof. apply Rle_trans. Qed.
Fixpoint max_of (l : list R) : R := match l with [] => 0 | x :: t => Rmax x (max_of t) end.
Theorem maximum l b : 0 <= b -> (forall a, In a l -> a <= b) -> max_of l <= b.
Proof. intros P. induction l; cbn; intros H; auto. apply Rmax_lub; auto. Qed.
Theorem some_item l a : In a l -> a <= max_of l.
Proof. induction l as [|b l IH]; [intros []|]. intros [->|J]; cbn; [apply Rmax_l | eapply Rle_trans; [auto | apply Rmax_r]]. Qed.
Fixpoint product (l : list R) : R := match l with [] => 1 | x :: t => x * product t end.
Definition total_of (l : list R) : R := sum l (fun x => x).
Theorem monotone (l l' : list R) : Forall2 (fun a b => 0 <= a <= b) l l' ->
  total_of l <= total_of l' /\ 0 <= product l <= product l' /\ max_of l <= max_of l'.
Proof.
  induction 1 as [|a b l l' H F IH]; unfold total_of in *; cbn; [lra|]. destruct IH as (S & (P & Q) & M).
  repeat split; try nra. apply Rmax_lub; [eapply Rle_trans; [|apply Rmax_l]; lra | eapply Rle_trans; [exact M | apply Rmax_r]].
Qed.
Theorem monotone_sqrt a b : 0 <= a <= b -> sqrt a <= sqrt b.
Proof. intros. apply sqrt_le_1_alt. lra. Qed.
Theorem monotone_growth a b r s : a <= b -> (r <= s)%nat -> growth a r <= growth b s.
Proof. apply growth_mono. Qed.
Theorem growth_least eps r : 0 <= eps -> INR r <= growth eps r.
Proof.
  intros P. induction r; [cbn; lra|]. rewrite S_INR. cbn [growth]. pose proof (exp_ineq1_le eps).
  pose proof (growth_pos eps r). nra.
Qed.
Theorem root a b : 0 <= a -> 0 <= b -> a * a <= b * b -> a <= b.
Proof. intros. nra. Qed.

(* ---- the worst choice of blocks ---- *)
Section Choices.
Context {I J : Type}.
Definition chosen (c : I -> option J) (j : J) (i : I) := c i = Some j.
Definition fits (l : list I) (n : J -> nat) (c : I -> option J) := forall j, (cnt l (chosen c j) <= n j)%nat.
Definition value (l : list I) (a : J -> I -> R) (c : I -> option J) := sum l (fun i => match c i with Some j => a j i | None => 0 end).
Definition worst_at_most l n a B := forall c, fits l n c -> value l a c <= B.
End Choices.

Lemma fits_tail I J (i : I) l (n : J -> nat) c : fits (i :: l) n c -> fits l n c.
Proof. intros H j. specialize (H j). cbn in H. lia. Qed.
Theorem choose I J (l : list I) (n : J -> nat) a j i : NoDup l -> In i l -> (1 <= n j)%nat ->
  exists c, fits l n c /\ a j i <= value l a c.
Proof.
  intros D K P. exists (fun x => if dec (x = i) then Some j else None). split.
  - intros j'. destruct (dec (j' = j)) as [->|ne].
    + eapply Nat.le_trans; [|exact P]. apply cnt_le1; auto. unfold chosen. intros x y _ _ ne X Y.
      destruct (dec (x = i)), (dec (y = i)); congruence.
    + eapply Nat.le_trans; [|apply Nat.le_0_l]. apply cnt_le0. unfold chosen. intros x _. destruct dec; congruence.
  - unfold value. right. induction l as [|x l IH]; [destruct K|]. cbn. inversion_clear D. destruct (dec (x = i)) as [->|ne].
    + rewrite sum_zero; [ring|]. intros y Y. destruct dec; [subst; contradiction | reflexivity].
    + rewrite Rplus_0_l. apply IH; auto. destruct K; [congruence | assumption].
Qed.
Theorem each_block I (l : list I) (a : I -> R) B : 0 <= B -> (forall i, In i l -> a i <= B) ->
  worst_at_most l (fun _ : unit => 1%nat) (fun _ => a) B.
Proof.
  intros P. induction l as [|i l IH]; intros H c F; [exact P|]. unfold value. cbn. destruct (c i) as [[]|] eqn:C.
  - rewrite sum_zero; [specialize (H i (or_introl eq_refl)); lra|].
    assert (Z : (cnt l (chosen c tt) <= 0)%nat).
    { specialize (F tt). cbn in F. unfold one_if in F. destruct dec as [|ne]; [lia | destruct ne; exact C]. }
    clear - Z. induction l as [|x l IH]; cbn in *; [intros _ []|]. unfold one_if in Z.
    destruct (dec (chosen c tt x)) as [|ne]; [lia|]. intros y [<-|Y]; [|apply IH; [lia | assumption]].
    destruct (c x) as [[]|] eqn:X; [destruct ne; exact X | reflexivity].
  - rewrite Rplus_0_l. apply IH; [intros; apply H; now right | now apply fits_tail with i].
Qed.
Lemma groups_sum I J (js : list J) (l : list I) (a : J -> I -> R) c m : NoDup js -> (forall j, In j js) ->
  (forall j, 0 <= m j) -> (forall j i, In i l -> a j i <= m j) ->
  value l a c <= sum js (fun j => INR (cnt l (chosen c j)) * m j).
Proof.
  intros D all P. unfold value. induction l as [|i l IH]; intros H; cbn [sum cnt].
  - apply sum_pos. intros. cbn. rewrite Rmult_0_l. lra.
  - assert (Q : forall j x, In x l -> a j x <= m j) by (intros; apply H; now right). specialize (IH Q).
    rewrite (sum_eq _ js _ (fun j => INR (one_if (chosen c j i)) * m j + INR (cnt l (chosen c j)) * m j))
      by (intros; rewrite plus_INR; ring). rewrite sum_plus.
    assert (match c i with Some j => a j i | None => 0 end <= sum js (fun j => INR (one_if (chosen c j i)) * m j)); [|lra].
    destruct (c i) as [j|] eqn:C.
    + eapply Rle_trans; [apply (H j i (or_introl eq_refl))|]. specialize (all j). clear - all P C.
      induction js as [|k js IH]; [destruct all|]. cbn [sum]. unfold one_if at 1. destruct (dec (chosen c k i)) as [e|ne].
      * assert (k = j) by (unfold chosen in e; congruence). subst. cbn. rewrite Rmult_1_l.
        assert (0 <= sum js (fun j0 => INR (one_if (chosen c j0 i)) * m j0)); [|lra].
        apply sum_pos. intros. apply Rmult_le_pos; [apply pos_INR | auto].
      * destruct all as [->|J1]; [destruct ne; exact C|]. specialize (IH J1). cbn. lra.
    + apply sum_pos. intros. apply Rmult_le_pos; [apply pos_INR | auto].
Qed.
Theorem spread I J (js : list J) (l : list I) n a m : NoDup js -> (forall j, In j js) -> (forall j, 0 <= m j) ->
  (forall j i, In i l -> a j i <= m j) -> worst_at_most l n a (sum js (fun j => INR (n j) * m j)).
Proof.
  intros D all P H c F. eapply Rle_trans; [apply groups_sum; eauto|]. apply sum_le. intros j _.
  apply Rmult_le_compat_r; auto. apply le_INR, F.
Qed.
Theorem squares I J (l : list I) n (a : J -> I -> R) B : (forall j i, 0 <= a j i) -> worst_at_most l n a B ->
  worst_at_most l n (fun j i => a j i * a j i) (B * B).
Proof.
  intros P H c F. specialize (H c F).
  assert (Z : 0 <= value l a c) by (apply sum_pos; intros i _; destruct (c i); [apply P | lra]).
  assert (K : value l (fun j i => a j i * a j i) c <= value l a c * value l a c); [|nra].
  clear - P. unfold value. induction l as [|i l IH]; cbn; [lra|].
  assert (0 <= sum l (fun i => match c i with Some j => a j i | None => 0 end)) by (apply sum_pos; intros x _; destruct (c x); [apply P | lra]).
  destruct (c i) as [j|]; [specialize (P j i)|]; nra.
Qed.
Lemma value_factor I J (l : list I) (a b : J -> I -> R) k c : (forall j i, a j i = k * b j i) -> value l a c = k * value l b c.
Proof. intros H. unfold value. rewrite <- sum_mult. apply sum_eq. intros i _. destruct (c i); [apply H | ring]. Qed.
Theorem factor_out I J (l : list I) n (a b : J -> I -> R) k B : 0 <= k -> (forall j i, a j i = k * b j i) ->
  worst_at_most l n b B -> worst_at_most l n a (k * B).
Proof. intros P H W c F. rewrite (value_factor _ _ _ a b k) by auto. apply Rmult_le_compat_l; auto. Qed.
Theorem factor_in I J (l : list I) n (a b : J -> I -> R) k x : (forall j i, a j i = k * b j i) ->
  (exists c, fits l n c /\ x = value l b c) -> exists c, fits l n c /\ k * x = value l a c.
Proof. intros H (c & F & ->). exists c. split; auto. symmetry. now apply value_factor. Qed.
Theorem transport I J K (js : list J) (l : list I) n m (a : J -> I -> R) (b : K -> I -> R) (plan : J -> K) B :
  NoDup js -> (forall j, In j js) -> (forall j i, a j i <= b (plan j) i) ->
  (forall k, sum js (fun j => if dec (plan j = k) then INR (n j) else 0) <= INR (m k)) ->
  worst_at_most l m b B -> worst_at_most l n a B.
Proof.
  intros D all H room W c F. set (c' := fun i => match c i with Some j => Some (plan j) | None => None end).
  assert (F' : fits l m c').
  { intros k. apply INR_le. eapply Rle_trans; [|apply room].
    apply Rle_trans with (sum js (fun j => if dec (plan j = k) then INR (cnt l (chosen c j)) else 0)).
    - clear - all. induction l as [|i l IH]; cbn [cnt].
      + apply sum_pos. intros. destruct dec; cbn; lra.
      + rewrite plus_INR. rewrite (sum_eq _ js _ (fun j => (if dec (plan j = k) then INR (one_if (chosen c j i)) else 0)
          + (if dec (plan j = k) then INR (cnt l (chosen c j)) else 0))) by (intros; destruct dec; [rewrite plus_INR|]; ring).
        rewrite sum_plus. apply Rplus_le_compat; auto. clear IH.
        assert (P : forall t, 0 <= sum t (fun j => if dec (plan j = k) then INR (one_if (chosen c j i)) else 0)).
        { intro. apply sum_pos. intros. destruct dec; [apply pos_INR | lra]. }
        unfold one_if at 1. destruct (dec (chosen c' k i)) as [e|]; [|apply P].
        unfold chosen, c' in e. destruct (c i) as [j|] eqn:C; [|discriminate]. injection e as e.
        specialize (all j). clear - all e C P. induction js as [|j0 js IH]; [destruct all|]. cbn [sum].
        specialize (P js). destruct all as [->|A].
        * destruct (dec (plan j = k)); [|tauto]. unfold one_if at 1. destruct (dec (chosen c j i)) as [|ne]; [|destruct ne; exact C]. cbn. lra.
        * specialize (IH A). destruct (dec (plan j0 = k)); [pose proof (pos_INR (one_if (chosen c j0 i)))|]; lra.
    - apply sum_le. intros j _. destruct dec; [apply le_INR, F | lra]. }
  eapply Rle_trans; [|apply (W c' F')]. apply sum_le. intros i _. unfold c'. destruct (c i); [apply H | lra].
Qed.
(* the blocks in the order of x, the largest first: s are the multiples that a choice on the left
   gives them, t those on the right, of which each n first sum up to at least as much *)
Fixpoint weighted (s x : list R) : R := match s, x with a :: s, b :: x => a * b + weighted s x | _, _ => 0 end.
Fixpoint first (n : nat) (s : list R) : R := match n, s with S n, a :: s => a + first n s | _, _ => 0 end.
Fixpoint decreasing (x : list R) : Prop := match x with a :: (b :: _) as t => b <= a /\ decreasing t | _ => True end.
Theorem abel (s t x : list R) : length s = length x -> length t = length x -> decreasing x -> Forall (fun a => 0 <= a) x ->
  (forall n, first n s <= first n t) -> weighted s x <= weighted t x.
Proof.
  (* with what the first ones have left over in hand *)
  enough (G : forall x s t d, length s = length x -> length t = length x -> decreasing x -> Forall (fun a => 0 <= a) x ->
    (forall n, first n s <= first n t + d) -> weighted s x <= weighted t x + d * match x with a :: _ => a | [] => 0 end).
  { intros A B C P H. specialize (G x s t 0 A B C P). rewrite Rmult_0_l, Rplus_0_r in G. apply G. intro n. specialize (H n). lra. }
  clear s t x. induction x as [|a x IH]; intros [|s0 s] [|t0 t] d A B C P H; try discriminate; cbn [weighted].
  - lra.
  - inversion_clear P. assert (D : decreasing x) by (destruct x; [exact I | apply C]).
    assert (K : forall n, first n s <= first n t + (t0 - s0 + d)) by (intro n; specialize (H (S n)); cbn in H; lra).
    specialize (IH s t (t0 - s0 + d) ltac:(cbn in A; lia) ltac:(cbn in B; lia) D H1 K).
    assert (Z : 0 <= t0 - s0 + d) by (specialize (K 0%nat); destruct s, t; cbn in K; lra).
    destruct x as [|b x]; [nra|]. destruct C as (L & _). nra.
Qed.
Theorem induction (a F : nat -> R) : (forall i, a i <= F 1%nat) -> (forall k i, (1 <= k)%nat -> F k + a i <= F (S k)) ->
  forall k, (1 <= k)%nat -> sum (seq 1 k) a <= F k.
Proof.
  intros base step k. induction k as [|k IH]; [lia|]. intros _. destruct k; [cbn; specialize (base 1%nat); lra|].
  rewrite seq_S, sum_app. cbn [sum]. specialize (IH ltac:(lia)). specialize (step (S k) (1 + S k)%nat ltac:(lia)). lra.
Qed.
