import TestSupport
import Testing
import Wire

@testable import JOSE

@Suite struct DPoPProofTests {
    @Test(
        "dpop_proofs: the signature, the thumbprint and the token's digest of a published proof are those that it says",
        arguments: try VectorGroup("dpop_proofs").cases)
    func published(vector: VectorCase) throws {
        let proof = try JSONWebSignature(parsing: #require(vector["proof"]?.string))
        #expect(proof.header == vector["header"]?.object)
        #expect(try JSON(parsing: proof.payload) == vector["claims"])
        let key = try JSONWebKey(#require(proof.header["jwk"]?.object))
        #expect(try key.thumbprint() == vector["jkt"]?.string)
        #expect(vector["valid"] == .bool(true))
        try proof.verify(with: key, allowing: [.es256])
        guard let token = vector["access_token"]?.string else { return }
        #expect(Base64.encodeURL(Digest.sha256(Array(token.utf8))) == vector["ath"]?.string)
        #expect(vector["claims"]?.object?["ath"] == vector["ath"])
    }
}
