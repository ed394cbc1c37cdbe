"""Forms: they read what people type into what services take."""
