package com.onegini.mobile.sdk.android.handlers.request.callback

import android.net.Uri

interface OneginiBrowserRegistrationCallback {
    /** With the address to which the browser was sent. */
    fun handleRegistrationCallback(uri: Uri)
    fun denyRegistration()
}

interface OneginiCustomRegistrationCallback {
    fun returnSuccess(data: String?)
    fun returnError(exception: Exception?)
}

interface OneginiPinCallback {
    /** The array is wiped. */
    fun acceptAuthenticationRequest(pin: CharArray)
    fun denyAuthenticationRequest()
}

interface OneginiAcceptDenyCallback {
    fun acceptAuthenticationRequest()
    fun denyAuthenticationRequest()
}

// Of what is not emulated: the stub makes none of these.

interface OneginiBiometricCallback {
    fun userAuthenticatedSuccessfully()
    fun onBiometricAuthenticationError(errorCode: Int)
    fun acceptAuthenticationRequest()
    fun denyAuthenticationRequest()
    fun fallbackToPin()
}

interface OneginiCustomCallback {
    fun acceptAuthenticationRequest()
    fun denyAuthenticationRequest()
    fun fallbackToPin()
}

interface OneginiCustomAuthRegistrationCallback {
    fun acceptRegistrationRequest(data: String?)
    fun denyRegistrationRequest()
    fun returnError(exception: Exception?)
}

interface OneginiCustomAuthDeregistrationCallback {
    fun acceptDeregistrationRequest(data: String?)
    fun denyDeregistrationRequest()
    fun returnError(exception: Exception?)
}

interface OneginiCustomAuthAuthenticationCallback {
    fun returnSuccess(data: String?)
    fun returnError(exception: Exception?)
}
