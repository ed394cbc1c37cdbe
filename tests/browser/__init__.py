"""Pages in real use: a real server and worker, a real browser, and phones without TLS."""
