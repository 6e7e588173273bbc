"""The theorem library: published composition theorems, each stated and proved with the kernel."""
