import Crypto
import DeviceKit
import Essentials
import Testing

@testable import PowerAuthDevice

@Suite struct OfflineTests {
    private let server: ServerHalf
    private let device: Device
    private let nonce = Base64.encode([UInt8](1...16))

    init() throws {
        server = try ServerHalf()
        device = try server.makeActiveDevice()
    }

    /// A QR code with a signature by the key of that kind.
    private func text(_ lines: [String], _ kind: String = "1") throws -> String {
        let signed = (lines + [nonce, kind]).joined(separator: "\n")
        let key = kind == "0" ? server.master : server.own
        let signature = try ECSignature.der(
            fromRaw: key.sign(Array(signed.utf8), with: .es256), .p256)
        return signed + Base64.encode(signature)
    }

    private let lines = ["op-1", "Pay", "A\\nB\\\\n", "A1*A100CZK", "BX"]

    @Test(arguments: ["0", "1"])
    func `a code is read and its signer verified`(_ kind: String) throws {
        let operation = try device.offlineOperation(text(lines, kind))
        #expect(operation.id == "op-1")
        #expect(operation.title == "Pay")
        #expect(operation.message == "A\nB\\n")
        #expect(operation.data == "A1*A100CZK")
        #expect(operation.allowsBiometry)
        #expect(operation.flags == ["B", "X"])
        #expect(operation.proximityOTP == nil)
        #expect(operation.signer == (kind == "0" ? .application : .activation))
        #expect(operation.body == Array("op-1&A1*A100CZK".utf8))
    }

    @Test func `a code of nearness is signed with the rest`() throws {
        let operation = try device.offlineOperation(text(lines + ["04823377"]))
        #expect(operation.proximityOTP == "04823377")
        #expect(operation.body == Array("op-1&A1*A100CZK&04823377".utf8))
    }

    @Test func `lines of a newer format are signed and passed over`() throws {
        let operation = try device.offlineOperation(text(lines + ["04823377", "new"]))
        #expect(operation.proximityOTP == "04823377")
        #expect(operation.nonce == nonce)
    }

    @Test func `a changed code is refused`() throws {
        let good = try text(lines)
        #expect(throws: DeviceError("the signature of the QR code is wrong")) {
            try device.offlineOperation(good.replacing("A100CZK", with: "A900CZK"))
        }
        #expect(throws: DeviceError("the signature of the QR code is wrong")) {
            try device.offlineOperation(good.replacing("\n1M", with: "\n0M"))
        }
    }

    @Test func `too few lines, and a signer or nonce that is none, are refused`() throws {
        for text in [
            "", try text(Array(lines.dropFirst())), try text(lines).replacing("\n1M", with: "\n3M"),
            try text(lines).replacing(nonce, with: "AAAA"), try text([""] + lines.dropFirst()),
            try text(lines + ["12x456"]),
        ] {
            #expect(throws: DeviceError.self) { try OfflineOperation(parsing: text) }
        }
    }

    @Test(arguments: [4, 8])
    func `a code to type has a group for each factor, and steps the counter`(_ digits: Int) throws {
        let operation = try device.offlineOperation(text(lines))
        let counter = try #require(device.activation).counter.count
        let code = try device.offlineCode(for: operation, with: .pin("1234"), digits: digits)
        let groups = code.split(separator: "-")
        #expect(groups.count == 2 && groups.allSatisfy { $0.count == digits && Int($0) != nil })
        #expect(device.activation?.counter.count == counter + 1)
    }
}
