// The app of Onegini's topic guide “Mobile authentication with OTP”, written anew from its steps, and a user at its keyboard: lines of
// standard input.
package guide

import com.onegini.mobile.sdk.android.*
import java.io.File

private fun show(line: String) = synchronized(System.out) { println(line).also { System.out.flush() } }

class CreatePin : OneginiCreatePinRequestHandler {
    var callback: OneginiPinCallback? = null
    private var length = 0

    override fun startPinCreation(userProfile: UserProfile, callback: OneginiPinCallback, pinLength: Int) {
        this.callback = callback
        length = pinLength
        show("choose a PIN of $pinLength 0")
    }

    override fun onNextPinCreationAttempt(error: OneginiPinValidationError) = show("choose a PIN of $length ${error.errorType}")
    override fun finishPinCreation() { callback = null }
}

class AskPin : OneginiPinAuthenticationRequestHandler {
    var callback: OneginiPinCallback? = null

    override fun startAuthentication(userProfile: UserProfile, callback: OneginiPinCallback, attemptCounter: AuthenticationAttemptCounter) {
        this.callback = callback
        show("PIN? ${attemptCounter.remainingAttempts} 0")
    }

    override fun onNextAuthenticationAttempt(attemptCounter: AuthenticationAttemptCounter) = show("PIN? ${attemptCounter.remainingAttempts} 9009")
    override fun finishAuthentication() { callback = null }
}

class Browse : OneginiBrowserRegistrationRequestHandler {
    var callback: OneginiBrowserRegistrationCallback? = null

    override fun startRegistration(url: Uri, registrationCallback: OneginiBrowserRegistrationCallback) {
        callback = registrationCallback
        show("open $url")
    }
}

class Confirm : OneginiMobileAuthWithOtpRequestHandler {
    var callback: OneginiAcceptDenyCallback? = null

    override fun startAuthentication(request: OneginiMobileAuthenticationRequest, callback: OneginiAcceptDenyCallback) {
        this.callback = callback
        show("confirm? ${request.message} (${request.type})")
    }

    override fun finishAuthentication() { callback = null }
}

class GuideApp(address: String, file: File) {
    private val createPin = CreatePin()
    private val askPin = AskPin()
    private val browse = Browse()
    private val confirm = Confirm()
    private val oneginiClient: OneginiClient = OneginiClientBuilder(null, createPin, askPin)
        .setBrowserRegistrationRequestHandler(browse)
        .setMobileAuthWithOtpRequestHandler(confirm)
        .connect(address, "com.example.understudy", "1.0.0", "understudy-android-1.0.0", file)
        .build()
    private val userClient get() = oneginiClient.userClient

    private fun start() = oneginiClient.start(object : OneginiInitializationHandler {
        override fun onSuccess(removedUserProfiles: Set<UserProfile>) = show("started true ${userClient.userProfiles.size}")
        override fun onError(error: OneginiInitializationError) = show("failed ${error.errorType}")
    })

    private fun register() = userClient.registerUser(null, arrayOf("openid", "profile"), object : OneginiRegistrationHandler {
        override fun onSuccess(userProfile: UserProfile, customInfo: CustomInfo?) = show("registered ${userProfile.profileId.length}")
        override fun onError(error: OneginiRegistrationError) = show("not registered ${error.errorType}")
    })

    private fun login() = userClient.authenticateUser(userClient.userProfiles.first(), object : OneginiAuthenticationHandler {
        override fun onSuccess(userProfile: UserProfile, customInfo: CustomInfo?) = show("authenticated")
        override fun onError(error: OneginiAuthenticationError) = show("not authenticated ${error.errorType}")
    })

    private fun changePin() = userClient.changePin(object : OneginiChangePinHandler {
        override fun onSuccess() = show("PIN changed")
        override fun onError(error: OneginiChangePinError) = show("PIN not changed ${error.errorType}")
    })

    // Step of the guide: the user has to be enrolled, and authenticated.
    private fun enroll() = userClient.enrollUserForMobileAuth(object : OneginiMobileAuthEnrollmentHandler {
        override fun onSuccess() = show("enrolled")
        override fun onError(error: OneginiMobileAuthEnrollmentError) = show("not enrolled ${error.errorType}")
    })

    // Step of the guide: the camera has read a code.
    private fun scanned(otp: String) = userClient.handleMobileAuthWithOtp(otp, object : OneginiMobileAuthWithOtpHandler {
        override fun onSuccess() = show("handled")
        override fun onError(error: OneginiMobileAuthWithOtpError) =
            show(if (error.errorType in listOf(9007, 10018)) "cannot handle" else "not handled ${error.errorType}")
    })

    private fun logout() = userClient.logout(object : OneginiLogoutHandler {
        override fun onSuccess() = show("logged out true")
        override fun onError(error: OneginiLogoutError) = show("logged out false")
    })

    private fun leave() = userClient.deregisterUser(userClient.userProfiles.first(), object : OneginiDeregisterUserProfileHandler {
        override fun onSuccess() = show("left true")
        override fun onError(error: OneginiDeregistrationError) = show("left false")
    })

    private fun who() {
        val user = userClient.authenticatedUserProfile
        show("${userClient.userProfiles.size} ${user != null} ${user != null && userClient.isUserEnrolledForMobileAuth(user)}")
    }

    fun hear(line: String) {
        val word = line.substringAfter(' ', "")
        when (line.substringBefore(' ')) {
            "start" -> start()
            "register" -> register()
            "landed" -> browse.callback!!.handleRegistrationCallback(Uri.create(word))
            "newpin" -> createPin.callback!!.acceptAuthenticationRequest(word.toCharArray())
            "pin" -> askPin.callback!!.acceptAuthenticationRequest(word.toCharArray())
            "login" -> login()
            "changepin" -> changePin()
            "enroll" -> enroll()
            "scan" -> scanned(word)
            "yes" -> confirm.callback!!.acceptAuthenticationRequest()
            "no" -> confirm.callback!!.denyAuthenticationRequest()
            "logout" -> logout()
            "leave" -> leave()
            "who" -> who()
            else -> error("what is “$line”?")
        }
    }
}

/** Arguments: address, file. */
fun main(arguments: Array<String>) {
    val app = GuideApp(arguments[0], File(arguments[1]))
    generateSequence(::readLine).forEach(app::hear)
}
