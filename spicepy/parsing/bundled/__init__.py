"""The bundled caption parser: networks and a reranker, run by numpy alone."""
