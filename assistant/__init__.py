"""The assistant: what a member asks, what the model is asked, and the doors through which both come and go."""
