"""The doors for programs, under /api/v1/. Each reads its input, asks `access`, calls one service and answers."""
