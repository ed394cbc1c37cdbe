"""The pages as people use them: a real server, a real worker, a real browser, phones of a hall without TLS."""
