"""How close clrng comes to the hardware."""
