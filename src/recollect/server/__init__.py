"""Recollect as a service: REST under /v1, MCP under /mcp, the inspector at /. Needs recollect[server]."""
