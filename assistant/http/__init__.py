"""The HTTP door: the only package, beside the proxy, that imports Starlette."""
