/// An authentication of Web Authentication Level 3, “Test Vectors”, ES256 without attestation, in base64url.
enum AssertionCorpus {
    static let credentialID = "-R85HbTJsv3g6nAYnLo_tj9Xm6YSKzOtlP8-wzAIS-Q"
    static let challenge = "OcDnUhQXulTUPo3JUXT0I97pvzzYBP9tZchXyav01Ag"
    static let signature = """
        MEYCIQD1Ck4uRAkknEqFO6NhKC8JhB303UVHoTqHeAIY3v_NOAIhAISArA8Lk1OBdPV1vxGh3V14xuSGAT-TcpXqE2\
        U-Mx6H
        """
    static let publicKey = """
        pQECAyYgASFYIK_voW-XypstI-uGzLZAmNINuQhWBi6yScM6m2cvJt9hIlggkwpWuHovymYzSwNFir-HlxfBLMaO1z\
        KQry4mZHlrkiA
        """
    static let authenticatorData = "v6vDdDKViwYzYNOtZGHJxHNa5_jt1GWSpeDwFFKy5LUZAAAAAA"
    static let clientData = """
        eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiT2NEblVoUVh1bFRVUG8zSlVYVDBJOTdwdnp6WUJQOX\
        RaY2hYeWF2MDFBZyIsIm9yaWdpbiI6Imh0dHBzOi8vZXhhbXBsZS5vcmciLCJjcm9zc09yaWdpbiI6ZmFsc2V9
        """
}
