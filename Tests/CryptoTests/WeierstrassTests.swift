import Crypto
import Testing

/// P-256 given by its parameters, so that published points can be expected.
struct WeierstrassTests {
    static func bytes(_ digits: String) -> [UInt8] { Hex.decode(digits) ?? [] }

    /// Source: SP 800-186 §3.2.1.3.
    static let field = PrimeField(
        modulus: bytes("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"))
    static let scalars = PrimeField(modulus: CurveAgreementTests.order)
    static let b = field.element(
        reducing: bytes("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b"))
    static let generator = (
        x: field.element(
            reducing: bytes("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")),
        y: field.element(
            reducing: bytes("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"))
    )

    static func curve() throws -> WeierstrassCurve {
        try WeierstrassCurve(
            field: field, a: field.element(-3), b: b, generator: generator, scalars: scalars)
    }

    @Test(arguments: vectors(CurveAgreementTests.Vector.self, "crypto/ecdh-p256.json"))
    func `points are multiplied to the published ones`(_ vector: CurveAgreementTests.Vector) throws {
        let curve = try Self.curve()
        let secret = try #require(Self.scalars.element(vector.secret.bytes))
        let own = curve.multiple(secret)
        #expect(own.x962 == [4] + vector.x.bytes + vector.y.bytes)
        let coordinates = try #require(own.coordinates)
        #expect(coordinates.x.bytes == vector.x.bytes)
        #expect(coordinates.y.bytes == vector.y.bytes)

        let x = try #require(Self.field.element(vector.peerX.bytes))
        let y = try #require(Self.field.element(vector.peerY.bytes))
        let peer = try #require(curve.point(x: x, y: y))
        let shared = try #require((secret * peer).coordinates)
        #expect(shared.x.bytes == vector.shared.bytes)
    }

    @Test func `points are added and negated`() throws {
        let curve = try Self.curve()
        let points = (0...5).map { curve.multiple(Self.scalars.element($0)) }
        #expect(points[2] + points[3] == points[5])
        #expect(points[2] + points[2] == points[4])
        #expect(points[2] + points[0] == points[2])
        #expect(points[5] + -points[2] == points[3])
        #expect((points[3] + -points[3]).isInfinity)
        #expect(Self.scalars.element(2) * points[2] == points[4])
        #expect(-points[1] == curve.multiple(Self.scalars.element(-1)))
        #expect(points[1] != -points[1])
    }

    @Test func `the point at infinity has no coordinates`() throws {
        let infinity = try Self.curve().multiple(Self.scalars.zero)
        #expect(infinity.isInfinity)
        #expect(infinity.coordinates == nil)
        #expect(infinity.x962 == [0])
        #expect((Self.scalars.element(7) * infinity).isInfinity)
        #expect((-infinity).isInfinity)
    }

    @Test func `a point off the curve is none`() throws {
        let (x, y) = Self.generator
        #expect(try Self.curve().point(x: x, y: y) != nil)
        #expect(try Self.curve().point(x: x, y: y + Self.field.one) == nil)
        #expect(try Self.curve().point(x: Self.field.zero, y: Self.field.zero) == nil)
    }

    @Test func `parameters that do not fit are refused`() {
        func make(a: Int = -3, b: FieldElement = Self.b, scalars: PrimeField = Self.scalars) throws {
            _ = try WeierstrassCurve(
                field: Self.field, a: Self.field.element(a), b: b, generator: Self.generator, scalars: scalars
            )
        }
        #expect(throws: Never.self) { try make() }
        // The generator is not on the curve.
        #expect(throws: CryptoError.self) { try make(a: -2) }
        #expect(throws: CryptoError.self) { try make(b: Self.field.one) }
        // The generator has another order.
        #expect(throws: CryptoError.self) { try make(scalars: Self.field) }
    }
}
