"""What ``import dpcomp_sym as dp`` offers beside the data: answers that can be asked further."""
