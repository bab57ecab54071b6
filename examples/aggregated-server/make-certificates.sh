# A CA, the certificate of the aggregated server, and that with which the API server shows that it is the proxy.
set -e
new="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
openssl req -x509 $new -days 365 -keyout ca.key -out ca.crt -subj /CN=example-ca
openssl req -x509 $new -days 365 -CA ca.crt -CAkey ca.key -keyout serving.key -out serving.crt \
  -subj /CN=weather -addext subjectAltName=DNS:weather.default.svc -addext basicConstraints=critical,CA:FALSE
openssl req -x509 $new -days 365 -CA ca.crt -CAkey ca.key -keyout proxy.key -out proxy.crt \
  -subj /CN=front-proxy -addext extendedKeyUsage=clientAuth -addext basicConstraints=critical,CA:FALSE
