(* Databases of which only the records in Y are seen: the least distance of those that look so, and what
   that says of mechanisms that read these records only (GB24, Corollary IV.15, corrected). *)
From Coq Require Import Reals Lra Lia List ZArith Classical FunctionalExtensionality.
From Dpcomp Require Import Measure Notions Compose Databases Rules Records.
From Dpcomp.papers Require Import GB24 Granularities.
Import ListNotations.
Open Scope R_scope.

(* ---- records are replaced; l lists the records of both ---- *)
Definition replaces {X} (D E : db X) := natural D /\ natural E /\ bounded_edit D E.
Definition minus {X} (l : list X) (D E : db X) : Z := total l (fun c => Z.max 0 (D c - E c)).
Lemma minus_pos X (l : list X) (D E : db X) : (0 <= minus l D E)%Z.
Proof. unfold minus. induction l; cbn [total]; lia. Qed.
Lemma minus_triangle X (l : list X) (D F E : db X) : (minus l D E <= minus l D F + minus l F E)%Z.
Proof. unfold minus. induction l; cbn [total]; lia. Qed.
Lemma minus_less X (l : list X) (D E D' E' : db X) : (forall c, Z.max 0 (D c - E c) <= Z.max 0 (D' c - E' c))%Z -> (minus l D E <= minus l D' E')%Z.
Proof. intros H. unfold minus. induction l as [|a l IH]; cbn [total]; [lia|]. specialize (H a). lia. Qed.
Lemma minus_put X (l : list X) (D E : db X) x : NoDup l -> (forall c, D c - E c <= put c x 1)%Z -> (minus l D E <= 1)%Z.
Proof.
  intros N H. assert (total l (fun c => Z.max 0 (D c - E c)) <= total l (fun c => put c x 1))%Z.
  { clear N. induction l as [|a l IH]; cbn [total]; [lia|]. specialize (H a). unfold put in *. destruct dec; lia. }
  destruct (total_put X l x 1 N); unfold minus; lia.
Qed.
Lemma minus_edit X (l : list X) (D E : db X) : NoDup l -> bounded_edit D E -> (minus l D E <= 1 /\ minus l E D <= 1)%Z.
Proof.
  intros N (x & y & _ & ne & g). split; [apply (minus_put X l D E x N) | apply (minus_put X l E D y N)];
    intros c; rewrite g; unfold put; repeat destruct dec; lia.
Qed.
Lemma minus_path X (l : list X) s (D E : db X) : NoDup l -> path replaces s D E -> (minus l D E <= Z.of_nat s /\ minus l E D <= Z.of_nat s)%Z.
Proof.
  intros N p. induction p as [D|s D F E (_ & _ & n) p (A & B)].
  - assert (minus l D D = 0)%Z by (apply total_none; intros; lia). lia.
  - destruct (minus_edit X l D F N n). pose proof (minus_triangle X l D F E). pose proof (minus_triangle X l E F D). lia.
Qed.
Lemma sizes_minus X (l : list X) (D E : db X) : (total l D - total l E = minus l D E - minus l E D)%Z.
Proof. unfold minus. induction l as [|a l IH]; cbn [total]; lia. Qed.
Lemma minus_somewhere X (l : list X) (D E : db X) : (0 < minus l D E)%Z -> exists c, In c l /\ (E c < D c)%Z.
Proof.
  unfold minus. induction l as [|a l IH]; cbn [total]; intros H; [lia|]. destruct (Z_lt_dec (E a) (D a)) as [L|L].
  - exists a. split; [now left | exact L].
  - destruct IH as (c & J & L'); [lia|]. exists c. split; [now right | exact L'].
Qed.
Lemma minus_none X (l : list X) (D E : db X) : minus l D E = 0%Z -> minus l E D = 0%Z -> (forall c, D c <> E c -> In c l) -> D = E.
Proof.
  intros A B S. apply (apart_none X l D E S). unfold minus in A, B. unfold apart.
  assert (K : (total l (fun c => Z.abs (D c - E c)) = total l (fun c => Z.max 0 (D c - E c)) + total l (fun c => Z.max 0 (E c - D c)))%Z).
  { clear. induction l as [|a l IH]; cbn [total]; lia. }
  lia.
Qed.
Lemma minus_nearer X (l : list X) (D E : db X) x y : NoDup l -> In x l -> x <> y -> (E x < D x)%Z -> (D y < E y)%Z ->
  (minus l (fun c => D c + put c x (-1) + put c y 1)%Z E = minus l D E - 1)%Z.
Proof.
  intros N J ne Lx Ly. unfold minus. rewrite (total_take X (fun c => Z.max 0 (D c + put c x (-1) + put c y 1 - E c)) x l N J).
  rewrite (total_take X (fun c => Z.max 0 (D c - E c)) x l N J).
  rewrite (total_ext _ l (fun c => if dec (c = x) then 0 else Z.max 0 (D c + put c x (-1) + put c y 1 - E c))%Z
    (fun c => if dec (c = x) then 0 else Z.max 0 (D c - E c))%Z).
  - unfold put. destruct (dec (x = x)), (dec (x = y)); try tauto. lia.
  - intros c. destruct (dec (c = x)) as [|d]; [reflexivity|]. unfold put. destruct (dec (c = x)), (dec (c = y)); try tauto; subst; lia.
Qed.
Lemma minus_walk X (l : list X) n (D E : db X) : NoDup l -> natural D -> natural E -> (forall c, D c <> E c -> In c l) ->
  minus l D E = Z.of_nat n -> minus l E D = Z.of_nat n -> path replaces n D E.
Proof.
  intros N. revert D. induction n as [|n IH]; intros D nD nE S A B.
  - rewrite (minus_none X l D E A B S). constructor.
  - destruct (minus_somewhere X l D E) as (x & Jx & Lx); [lia|]. destruct (minus_somewhere X l E D) as (y & Jy & Ly); [lia|].
    assert (ne : x <> y) by (intros ->; lia). set (F := fun c => (D c + put c x (-1) + put c y 1)%Z).
    assert (nF : natural F).
    { intros c. specialize (nD c). specialize (nE c). unfold F, put. repeat destruct dec; subst; lia. }
    assert (AF : (minus l F E = minus l D E - 1)%Z) by now apply minus_nearer.
    assert (SF : (total l F = total l D)%Z).
    { unfold F. rewrite (total_plus X (fun c => D c + put c x (-1))%Z (fun c => put c y 1)), total_plus.
      rewrite !total_at by assumption. lia. }
    apply PS with F.
    + split; [exact nD | split; [exact nF|]]. exists x, y. split; [specialize (nE x); lia | split; [exact ne | reflexivity]].
    + apply IH; auto.
      * intros c d. apply NNPP. intros out. assert (D c = E c) by (apply NNPP; intro; auto). apply d. unfold F, put.
        destruct (dec (c = x)) as [->|]; [contradiction|]. destruct (dec (c = y)) as [->|]; [contradiction|]. lia.
      * lia.
      * pose proof (sizes_minus X l F E). pose proof (sizes_minus X l D E). lia.
Qed.
Lemma keep_same X (Y : X -> Prop) (A F : db X) : (forall c, A c <> 0%Z -> Y c) -> (forall c, Y c -> F c = A c) -> keep Y F = A.
Proof.
  intros S H. apply functional_extensionality. intros c. unfold keep. destruct (dec (Y c)) as [y|n]; [now apply H|].
  destruct (Z.eq_dec (A c) 0) as [e|ne]; [now rewrite e | destruct n; now apply S].
Qed.
Lemma minus_cons X (l : list X) z (D E : db X) : minus (z :: l) D E = (Z.max 0 (D z - E z) + minus l D E)%Z.
Proof. reflexivity. Qed.
(* the side that is short of records is padded with copies of z outside of Y *)
Lemma padded X (Y : X -> Prop) (l : list X) (A B : db X) z : NoDup l -> (forall c, In c l -> Y c) -> ~ Y z -> natural A -> natural B ->
  (forall c, A c <> 0%Z -> In c l) -> (forall c, B c <> 0%Z -> In c l) -> (minus l A B <= minus l B A)%Z ->
  exists D, natural D /\ keep Y D = A /\ path replaces (Z.to_nat (minus l B A)) D B.
Proof.
  intros N inY z_out nA nB SA SB L. set (k := (minus l B A - minus l A B)%Z).
  assert (zl : ~ In z l) by (intro J; apply z_out; auto).
  assert (Az : A z = 0%Z) by (apply NNPP; auto). assert (Bz : B z = 0%Z) by (apply NNPP; auto).
  exists (fun c => (A c + put c z k)%Z). split; [intros c; specialize (nA c); unfold put; destruct dec; lia|]. split.
  - apply keep_same; [intros c n; apply inY; auto|]. intros c y. unfold put. destruct dec as [->|]; [contradiction | lia].
  - assert (away : forall (F G F' G' : db X), (forall c, c <> z -> F c = F' c /\ G c = G' c) -> minus l F G = minus l F' G').
    { intros F G F' G' H. unfold minus. clear - H zl. induction l as [|a l IH]; cbn [total]; [reflexivity|].
      rewrite IH by (intro; apply zl; now right). destruct (H a) as (-> & ->); [|reflexivity]. intros ->. apply zl. now left. }
    assert (same : forall c, c <> z -> (A c + put c z k = A c)%Z) by (intros c n; unfold put; destruct dec; [contradiction | lia]).
    assert (at_z : (A z + put z z k = k)%Z) by (unfold put; destruct dec; [lia | tauto]).
    pose proof (minus_pos X l A B). pose proof (minus_pos X l B A).
    apply (minus_walk X (z :: l)); auto.
    + now constructor.
    + intros c. specialize (nA c). unfold put. destruct dec; lia.
    + intros c d. destruct (dec (c = z)) as [->|n]; [now left|]. right. rewrite same in d by assumption.
      destruct (Z.eq_dec (A c) 0) as [e|ne]; [apply SB; congruence | now apply SA].
    + rewrite minus_cons, at_z, Bz.
      rewrite (away _ B A B) by (intros c n; split; [now apply same | reflexivity]). lia.
    + rewrite minus_cons, at_z, Bz.
      rewrite (away B _ B A) by (intros c n; split; [reflexivity | now apply same]). lia.
Qed.
Lemma replaces_sym X (D E : db X) : replaces D E -> replaces E D.
Proof.
  intros (nD & nE & (x & y & one & ne & g)). split; [exact nE | split; [exact nD|]]. exists y, x. repeat split.
  - rewrite g. specialize (nD y). unfold put. repeat destruct dec; subst; tauto || lia.
  - congruence.
  - intros c. rewrite g. unfold put. repeat destruct dec; lia.
Qed.
Definition farther {X} (l : list X) (A B : db X) : nat := Z.to_nat (Z.max (minus l A B) (minus l B A)).
Theorem IV_15_least X (Y : X -> Prop) (l : list X) (A B : db X) s D E : NoDup l ->
  keep Y D = A -> keep Y E = B -> path replaces s D E -> (farther l A B <= s)%nat.
Proof.
  intros N <- <- p. destruct (minus_path X l s D E N p) as (P & Q).
  assert (minus l (keep Y D) (keep Y E) <= minus l D E)%Z by (apply minus_less; intros c; unfold keep; destruct dec; lia).
  assert (minus l (keep Y E) (keep Y D) <= minus l E D)%Z by (apply minus_less; intros c; unfold keep; destruct dec; lia).
  unfold farther. lia.
Qed.
Theorem IV_15_attained X (Y : X -> Prop) (l : list X) (A B : db X) z : NoDup l -> (forall c, In c l -> Y c) -> ~ Y z ->
  natural A -> natural B -> (forall c, A c <> 0%Z -> In c l) -> (forall c, B c <> 0%Z -> In c l) ->
  exists D E, natural D /\ natural E /\ keep Y D = A /\ keep Y E = B /\ path replaces (farther l A B) D E.
Proof.
  intros N inY zo nA nB SA SB. assert (K : forall F : db X, (forall c, F c <> 0%Z -> In c l) -> keep Y F = F).
  { intros F S. apply keep_same; [intros c n; auto | reflexivity]. }
  destruct (Z_le_gt_dec (minus l A B) (minus l B A)) as [L|L].
  - destruct (padded X Y l A B z N inY zo nA nB SA SB L) as (D & nD & kD & p). exists D, B.
    repeat split; auto. unfold farther. now rewrite Z.max_r.
  - destruct (padded X Y l B A z N inY zo nB nA SB SA ltac:(lia)) as (E & nE & kE & p). exists A, E.
    repeat split; auto. unfold farther. rewrite Z.max_l by lia. apply path_sym; [apply replaces_sym | exact p].
Qed.
Theorem IV_15 X O (Y : X -> Prop) z (M : db X -> pm O) : ~ Y z ->
  between pure replaces 1 M -> depends_only (keep Y) M ->
  forall (l : list X) D E, NoDup l -> (forall c, In c l -> Y c) -> natural D -> natural E ->
  (forall c, keep Y D c <> 0%Z -> In c l) -> (forall c, keep Y E c <> 0%Z -> In c l) ->
  rel pure (INR (farther l (keep Y D) (keep Y E))) (M D) (M E) /\
  (Z.of_nat (farther l (keep Y D) (keep Y E)) <= apart l (keep Y D) (keep Y E))%Z.
Proof.
  intros zo H dep l D E N inY nD nE SD SE.
  assert (nK : forall F : db X, natural F -> natural (keep Y F)) by (intros F n c; unfold keep; destruct dec; [apply n | lia]).
  destruct (IV_15_attained X Y l (keep Y D) (keep Y E) z N inY zo (nK D nD) (nK E nE) SD SE) as (D' & E' & nD' & nE' & kD & kE & p). split.
  - rewrite (dep D D'), (dep E E') by congruence. rewrite <- (Rmult_1_r (INR _)).
    apply (group pure _ _ replaces 1 M); [lra | exact H | exact p].
  - assert (minus l (keep Y D) (keep Y E) <= apart l (keep Y D) (keep Y E) /\ minus l (keep Y E) (keep Y D) <= apart l (keep Y D) (keep Y E))%Z.
    { unfold minus, apart. clear. induction l as [|a l IH]; cbn [total]; lia. }
    pose proof (minus_pos X l (keep Y D) (keep Y E)). unfold farther. lia.
Qed.
