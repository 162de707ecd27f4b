import Essentials
import PlatformKit

extension Error {
    /// The error in words, as people are told it: Foundation's errors are decorated when they are printed.
    var sentence: String {
        switch self {
        case let refusal as any Refusal: refusal.explanation
        case let error as CocoaError: error.words
        default: "\(self)"
        }
    }
}

extension CocoaError {
    fileprivate var words: String {
        switch code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "no such file or folder"
        case .fileReadNoPermission, .fileWriteNoPermission: "permission denied"
        case .fileWriteFileExists: "it already exists"
        case .fileWriteOutOfSpace: "no space left"
        case .fileWriteVolumeReadOnly: "the disk is read-only"
        default: (userInfo["NSUnderlyingError"] as? POSIXError)?.words ?? "\(self)"
        }
    }
}
