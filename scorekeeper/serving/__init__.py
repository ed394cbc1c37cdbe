"""How the server of `manage.py up` runs: its lock, its addresses, its worker, its web server."""
