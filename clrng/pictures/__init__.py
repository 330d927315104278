"""Pictures of what is drawn."""
