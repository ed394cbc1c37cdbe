"""The doors of pages: read input, ask `access`, call one service, selector or page, answer. All work without
scripts."""
