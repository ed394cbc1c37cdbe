"""Pages: read input, ask `access`, call one service or selector, answer. They work without scripts."""
