import Essentials
import HTTP
import PlatformKit

// What a device sends; a bad member is `INVALID_REQUEST`.
extension Members {
    /// `{"requestObject": …}`, or `{}` where nothing is asked.
    convenience init(ofDevice request: Request) throws {
        let members = try Members(parsing: request.body, else: Self.deviceRefusal)
        self.init(try members.optionalObject("requestObject") ?? [:], else: Self.deviceRefusal)
    }

    /// What was encrypted: some SDKs put the object in `requestObject` there as well, others send it bare.
    convenience init(decrypted plaintext: [UInt8]) throws {
        let members = try Members(parsing: plaintext, else: Self.deviceRefusal)
        self.init(try members.optionalObject("requestObject") ?? members.values, else: Self.deviceRefusal)
    }

    private static let deviceRefusal: Refusing = { TokenAPIRefusal(.requestInvalid, $0[0].sentence) }

    /// A text with something in it.
    func filledText(_ name: String) throws -> String {
        try read(name, "a text with something in it", isRequired: true) { value in
            value.string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        } ?? ""
    }
}
