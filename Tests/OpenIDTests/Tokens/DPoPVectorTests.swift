import Essentials
import Testing

@testable import OpenID

/// The proofs that RFC 9449 prints.
struct DPoPVectorTests {
    private static let header =
        "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJo"
        + "RjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19"

    /// §4.1, figure 1.
    private static let atTokenEndpoint =
        header
        + ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwi"
        + "aWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"

    /// §7.1, figure 12, with its access token.
    private static let atResource =
        header
        + ".eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0"
        + "ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9"
        + ".2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"
    private static let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"

    @Test func `the proof for the token endpoint is read, and is of its time`() throws {
        let proof = try DPoPProof(Self.atTokenEndpoint)
        // §6.1, figure 9.
        #expect(proof.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
        #expect(proof.id == "-BwC3ESc6acc2lTc" && proof.issuedAt == 1_562_262_616)
        try proof.check("POST", ["https://server.example.com/token"])
        try proof.checkTime(Date(timeIntervalSince1970: 1_562_262_620))
        #expect(throws: DPoPFault.tooOld(seconds: 1000)) {
            try proof.checkTime(Date(timeIntervalSince1970: 1_562_263_616))
        }
        #expect(throws: DPoPFault.methodWrong(expected: "GET", found: "POST")) {
            try proof.check("GET", ["https://server.example.com/token"])
        }
    }

    @Test func `the proof for a resource fits its access token`() throws {
        let proof = try DPoPProof(Self.atResource)
        #expect(proof.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
        try proof.check("GET", ["https://resource.example.org/protectedresource"])
        try proof.check(token: Self.token)
        #expect(throws: DPoPFault.self) { try proof.check(token: Self.token + "x") }
    }
}
