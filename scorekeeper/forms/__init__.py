"""What people type, read into what the services take."""
